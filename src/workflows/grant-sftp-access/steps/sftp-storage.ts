import type { SftpStorageView } from '../../../activities/sftp-storages.js';
import { FailureType } from '../../../contract/failures.js';
import { failure } from '../../engine/run/failures.js';
import type { Run } from '../../engine/run/run-types.js';
import { createPause, refuseLate } from '../../engine/wait/wait-for-tasks.js';

/** From here on there is no way back. */
const GOING: ReadonlySet<string> = new Set(['deleting', 'deleted']);

/**
 * The storage, once nothing is being done to it: storages have no tasks, `provisioning_status` tells.
 * A status that is not known is waited for. Fails as `NotFound` when the storage is gone or going.
 */
export async function settledStorage(run: Run, storageId: number): Promise<SftpStorageView> {
  const type = 'SFTP storage active';
  const name = `SFTP storage ${storageId} to be active`;
  const giveUpMs = run.prepared.policy.poll.typical[type]?.giveUpMs;
  const giveUpAt = giveUpMs === undefined ? undefined : Date.now() + giveUpMs;
  const pause = createPause(run, { name, type, giveUpAt });
  const options = { summary: `SFTP storage ${storageId}` };
  for (;;) {
    const storage = await run.api.reads.getSftpStorage.executeWithOptions(options, [{ storageId }]);
    if (GOING.has(storage.status)) throw going(storage);
    if (storage.status === 'active') {
      run.ledger.setWaiting(undefined);
      return storage;
    }
    refuseLate({ name, giveUpAt });
    await pause(storage.status);
  }
}

function going({ id, status }: SftpStorageView): Error {
  return failure(FailureType.notFound, `SFTP storage ${id} is ${status}.`, {
    advice: 'Name a storage that stays.',
  });
}
