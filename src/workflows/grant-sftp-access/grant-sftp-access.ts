import { Operation, sftpStorageResource, sshKeyResource } from '../../contract/wire/names.js';
import type {
  GrantSftpAccessInput,
  GrantSftpAccessResult,
} from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun, type Run } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import {
  restartOnCorrectedInput,
  type AssertInput,
} from '../../engine/run/restart-on-corrected-input.js';
import { admitEarlier } from '../../engine/send/name-earlier.js';
import { hadTurns } from '../../engine/steps/step.js';
import { planGrantSftpAccess } from './plan/plan-grant-sftp-access.js';
import { findSftpKeys, type GrantRun, type NamedKey } from './steps/find-sftp-keys.js';
import { linkSftpKeys, type LinkedKeys } from './steps/link-sftp-keys.js';

const FIND = 'find keys';
const LINK = 'link keys';

/**
 * Gives the holders of SSH keys access to an SFTP storage: links keys by name. Reports success only when
 * the storage is active and shows them all.
 *
 * Removes no other key. The API only replaces the whole list, so the run reads, merges, sends and reads
 * again; runs on the same storage or key take turns. What somebody else writes between a read and the call
 * after it is lost, and no client can see that. A failed or cancelled run unlinks the keys that it
 * linked; `onFailure: 'keep'` keeps them.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks while the API refuses
 * the API key (`Unauthorized`); with `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `ResourceBusy`, `UnexpectedResponse`, `DeadlineExceeded` or
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
      prepare: prepareActivities.prepareGrantSftpAccess,
      plan: planGrantSftpAccess,
    },
    (run) => {
      const earlier = admitEarlier(run, run.ledger.step(LINK));
      return restartOnCorrectedInput(run, async (assertInput) => {
        const keys = await findInTurns(run, await run.begin(FIND), assertInput);
        const wanted = { keys, assertInput, earlier };
        const linked = await linkSftpKeys(run, await run.begin(LINK), wanted);
        return toResult(run, keys, linked);
      });
    },
  );
}

/** Finds the keys in the run's turn at each of them: one that is being deleted is not linked. */
async function findInTurns(
  run: GrantRun,
  step: StepRecorder,
  assertInput: AssertInput,
): Promise<NamedKey[]> {
  for (;;) {
    const keys = await findSftpKeys(run, step, assertInput);
    const linked = keys.map(({ id }) => sshKeyResource(id));
    if (await hadTurns(run, [sftpStorageResource(run.prepared.storageId), ...linked])) return keys;
  }
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
