import { Operation } from '../../contract/wire/names.js';
import type { DeleteInstanceInput, DeleteInstanceResult } from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { admitEarlier } from '../../engine/send/name-earlier.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { planDeleteInstance } from './plan/plan-delete-instance.js';
import { deleteAll } from './steps/delete-all.js';
import { findInstance } from './steps/find-instance.js';
import { DeleteStep } from './steps/delete-run.js';

/**
 * Deletes one instance, and those of its volumes and floating IPs that the input chooses. Reports success
 * only when a look at each of them shows that it is gone.
 *
 * Never touches a resource that is neither named nor attached. Runs on the instance, or on a volume or floating IP that is
 * deleted, take turns. Nothing can be undone: a failed or
 * cancelled run sends nothing more and names what still exists.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a
 * person: a refused API key (`Unauthorized`), two instances with the same marker (`OutcomeUnknown`), or with
 * `unlessSnapshots` a snapshot of a volume that is to go (`RemovalBlocked`).
 * With `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function deleteInstance(
  input: DeleteInstanceInput,
): Promise<DeleteInstanceResult | Planned> {
  return planOrRun(
    {
      operation: Operation.deleteInstance,
      steps: Object.values(DeleteStep),
      creatingStep: DeleteStep.instance,
      input,
      prepare: prepareActivities.prepareDeleteInstance,
      plan: planDeleteInstance,
    },
    (run) => {
      admitEarlier(run, run.ledger.step(DeleteStep.instance));
      return restartOnCorrectedInput(run, async (assertInput) => {
        const found = await findInstance(run, await run.begin(DeleteStep.find));
        const { deleted, taskIds } = await deleteAll(run, found, assertInput);
        return {
          instanceId: found.instanceId ?? null,
          name: found.instance?.name ?? null,
          alreadyGone: found.instance === undefined,
          deleted,
          kept: found.kept,
          taskIds,
          ledger: run.ledger.document().steps,
        };
      });
    },
  );
}
