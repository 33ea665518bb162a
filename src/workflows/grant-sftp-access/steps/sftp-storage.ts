import type { SftpStorageView } from '../../../activities/sftp-storages.js';
import { STORAGE_ACTIVE } from '../../../contract/wire/tasks.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure } from '../../../engine/run/failures.js';
import type { Run } from '../../gcore.js';
import { isBeingDeleted } from '../../shared/sftp-storage.js';
import { lookUntilGivenUp } from '../../../engine/wait/look-until.js';

/**
 * Waits until nothing is being done to the storage, and returns it. Storages have no tasks; their
 * `provisioning_status` shows that. An unknown status is waited for. Fails as `NotFound` when the storage
 * is deleted or being deleted.
 */
export async function settledStorage(run: Run, storageId: number): Promise<SftpStorageView> {
  const name = `SFTP storage ${storageId} to become active`;
  const options = { summary: `SFTP storage ${storageId}` };
  let state: string | undefined;
  const wait = { name, type: STORAGE_ACTIVE, state: () => state };
  return lookUntilGivenUp(run, wait, async () => {
    const storage = await run.api.reads.getSftpStorage.executeWithOptions(options, [{ storageId }]);
    if (isBeingDeleted(storage)) throw deletedFailure(storage);
    state = storage.status;
    return state === 'active' ? storage : undefined;
  });
}

function deletedFailure({ id, status }: SftpStorageView): Error {
  return failure(FailureType.notFound, `SFTP storage ${id} is ${status}.`, {
    advice: 'Name a storage that is not being deleted.',
  });
}
