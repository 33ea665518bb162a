import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { Operation } from '../../contract/names.js';
import type {
  GrantSftpAccessInput,
  GrantSftpAccessResult,
} from '../../contract/operations/grant-sftp-access.js';
import type { Planned } from '../../contract/plan.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import type { Run } from '../engine/run/run-types.js';
import { restartOnCorrectedInput } from '../engine/run/restart-on-corrected-input.js';
import { planGrantSftpAccess } from './plan/plan-grant-sftp-access.js';
import { findSftpKeys, type NamedKey } from './steps/find-sftp-keys.js';
import { linkSftpKeys, type LinkedKeys } from './steps/link-sftp-keys.js';

const { prepareGrantSftpAccess } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>(
  { startToCloseTimeout: '5 seconds' },
);

const FIND = 'find keys';
const LINK = 'link keys';

/**
 * Lets the holders of SSH keys into an SFTP storage: links keys by their names and reports success
 * only once the storage is active and shows them all.
 *
 * Takes no other key away: the API replaces the whole list, so it is read, merged, sent and read
 * again; runs on one storage take turns. What somebody else writes between a read and the call that
 * follows it is lost, and no client can see that. A failure or a cancellation unlinks what the run
 * linked (`onFailure: 'keep'` keeps it). Answers the query `status`. A refused key (`Unauthorized`)
 * blocks the run until it is mended, or fails it with `onBlocked: 'fail'`.
 * With `planOnly` nothing is sent: the result is a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ResourceBusy`, `DeadlineExceeded` or
 * `Aborted`.
 */
export async function grantSftpAccess(
  input: GrantSftpAccessInput,
): Promise<GrantSftpAccessResult | Planned> {
  return planOrRun(
    {
      operation: Operation.grantSftpAccess,
      steps: [FIND, LINK],
      creatingStep: LINK,
      input,
      prepare: prepareGrantSftpAccess,
      plan: planGrantSftpAccess,
    },
    (run) =>
      restartOnCorrectedInput(run, async (assertInput) => {
        const keys = await findSftpKeys(run, await run.begin(FIND), assertInput);
        const linked = await linkSftpKeys(run, await run.begin(LINK), { keys, assertInput });
        return toResult(run, keys, linked);
      }),
  );
}

function toResult(
  { ledger }: Run,
  keys: readonly NamedKey[],
  { storage, before, linked, restored }: LinkedKeys,
): GrantSftpAccessResult {
  return {
    storageId: storage.id,
    storageName: storage.name,
    keys: keys.map(({ id, name }) => ({ id, name, linked: linked.includes(id) })),
    changed: linked.length > 0,
    restored,
    before,
    after: storage.sshKeyIds,
    ledger: ledger.document().steps,
  };
}
