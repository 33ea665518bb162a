import type { SftpStorageView } from '../../../activities/sftp-storages.js';
import { FailureType } from '../../../contract/failures.js';
import { failure } from '../../engine/run/failures.js';
import type { Run } from '../../engine/run/run-types.js';
import { lookUntilGivenUp } from '../../engine/wait/look-until.js';

/** From here on there is no way back. */
const GOING: ReadonlySet<string> = new Set(['deleting', 'deleted']);

/**
 * The storage, once nothing is being done to it: storages have no tasks, `provisioning_status` tells.
 * A status that is not known is waited for. Fails as `NotFound` when the storage is gone or going.
 */
export async function settledStorage(run: Run, storageId: number): Promise<SftpStorageView> {
  const name = `SFTP storage ${storageId} to become active`;
  const options = { summary: `SFTP storage ${storageId}` };
  let state: string | undefined;
  const wait = { name, type: 'SFTP storage active', state: () => state };
  return lookUntilGivenUp(run, wait, async () => {
    const storage = await run.api.reads.getSftpStorage.executeWithOptions(options, [{ storageId }]);
    if (GOING.has(storage.status)) throw going(storage);
    state = storage.status;
    return state === 'active' ? storage : undefined;
  });
}

function going({ id, status }: SftpStorageView): Error {
  return failure(FailureType.notFound, `SFTP storage ${id} is ${status}.`, {
    advice: 'Name a storage that stays.',
  });
}
