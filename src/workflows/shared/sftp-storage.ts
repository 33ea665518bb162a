import type { SftpStorageView } from '../../activities/sftp-storages.js';
import { secretPlaces } from '../../contract/wire/secret-ref.js';
import { STORAGE_ACTIVE } from '../../contract/wire/tasks.js';
import type { PreparedChange } from '../../engine/core/prepared-run.js';
import type { Draft } from '../../engine/plan/planning.js';
import type { Settling } from '../../engine/send/one-change.js';
import type { PlanRun } from '../gcore.js';
import { checkSecrets } from './plan/plan-parts.js';

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

/** In a plan only: a run that lacks a secret waits for it. */
export async function checkPlannedSecrets(
  _seen: unknown,
  asked: PlanRun<PreparedChange>,
  draft: Draft,
): Promise<void> {
  if (asked.prepared.planOnly !== true) return;
  await checkSecrets(asked, draft, secretPlaces(asked.input));
}
