import type { SftpStorageView } from '../../activities/sftp-storages.js';
import { STORAGE_ACTIVE } from '../../contract/wire/tasks.js';
import type { Settling } from '../../engine/send/one-change.js';

/** A storage in one of these states never becomes active again. */
export function isBeingDeleted({ status }: Pick<SftpStorageView, 'status'>): boolean {
  return status === 'deleting' || status === 'deleted';
}

/** A storage has no tasks: its status says when a change is done. */
export function settlingOf<T>(of: (seen: T) => SftpStorageView | undefined): Settling<T> {
  return {
    name: 'the storage to become active',
    type: STORAGE_ACTIVE,
    isAt(seen) {
      const status = of(seen)?.status;
      return status === 'active' ? undefined : status;
    },
  };
}
