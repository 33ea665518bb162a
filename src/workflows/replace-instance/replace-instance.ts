import type {
  MoveFloatingIpResult,
  ProvisionInstanceResult,
  ReplaceInstanceInput,
  ReplaceInstanceResult,
} from '../../contract/operations/types.js';
import { Operation, PARTS } from '../../contract/wire/names.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { admitEarlier } from '../../engine/send/name-earlier.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { endOrphans } from '../shared/run-part.js';
import { planReplaceInstance } from './plan/plan-replace-instance.js';
import { checkStart } from './steps/check-start.js';
import { createNew } from './steps/create-new.js';
import { deleteOld } from './steps/delete-old.js';
import { moveAddress, type Moving } from './steps/move-address.js';
import { namedBy, ReplaceStep, type ReplaceRun } from './steps/replace-run.js';

/**
 * Replaces an instance: creates a new one, moves the floating IP to it, and deletes the old one if that is asked for. Each
 * is done and verified by a run of its own, whose Workflow Id begins with that of this run.
 *
 * Until the old instance is to be deleted, a failed or cancelled run moves the floating IP back and deletes the new
 * instance; `onFailure: 'keep'` keeps both. It never deletes an instance that has the floating IP, and takes it from no
 * other instance.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Waits while the run of a part is blocked; with
 * `onBlocked: 'fail'` that run fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as the run of a part fails: `InvalidInput`, `InvalidRequest`, `NotFound`, `AlreadyExists`, `TaskFailed`,
 * `RemovalBlocked`, `DeadlineExceeded` or `Aborted`.
 */
export async function replaceInstance(
  input: ReplaceInstanceInput,
): Promise<ReplaceInstanceResult | Planned> {
  const { check, create, move: moveStep, delete: remove } = ReplaceStep;
  return planOrRun(
    {
      operation: Operation.replaceInstance,
      steps: [check, create, moveStep],
      creatingStep: create,
      input,
      prepare: prepareActivities.prepareReplaceInstance,
      plan: planReplaceInstance,
    },
    async (asked) => {
      admitEarlier(asked, asked.ledger.step(create));
      await endOrphans(asked, PARTS.replaceInstance);
      const moving: Moving = {};
      const { run, before, created, undo } = await checkAndCreate(asked, moving);
      const { deleteOld: choice } = run.input;
      const move = { before, newId: created.instanceId, moving };
      const moved = await moveAddress(run, await run.begin(moveStep), move);
      if (choice !== undefined) {
        await deleteOld(run, await run.begin(remove), {
          ...choice,
          newId: created.instanceId,
          // From here on the old instance may be gone: there is no way back.
          onStarted: () => {
            moved.undo.dismiss();
            undo.dismiss();
          },
        });
      }
      return toResult(run, created, moved.result);
    },
  );
}

/**
 * Checks a corrected input again until the new instance is asked for. From then on the run that it returns has this input for
 * good: the parts of two inputs would not fit together.
 */
function checkAndCreate(asked: ReplaceRun, moving: Moving) {
  return restartOnCorrectedInput(asked, async (assertInput) => {
    const run = { ...asked };
    const before = await checkStart(run, await run.begin(ReplaceStep.check));
    const step = await run.begin(ReplaceStep.create);
    return { run, before, ...(await createNew(run, step, { moving, assertInput })) };
  });
}

function toResult(
  run: ReplaceRun,
  { instanceId, name }: ProvisionInstanceResult,
  { address, floatingIpId }: MoveFloatingIpResult,
): ReplaceInstanceResult {
  return {
    instanceId,
    name,
    floatingIpId,
    address,
    old: { instanceId: namedBy(run).oldId, isDeleted: run.input.deleteOld !== undefined },
    ledger: run.ledger.document().steps,
  };
}
