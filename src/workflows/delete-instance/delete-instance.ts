import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { Operation } from '../../contract/names.js';
import type {
  DeleteInstanceInput,
  DeleteInstanceResult,
} from '../../contract/operations/delete-instance.js';
import type { Planned } from '../../contract/plan.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import { restartOnCorrectedInput } from '../engine/run/restart-on-corrected-input.js';
import { planDeleteInstance } from './plan/plan-delete-instance.js';
import { deleteAll } from './steps/delete-all.js';
import { findInstance } from './steps/find-instance.js';
import { DeleteStep } from './steps/delete-run.js';

const { prepareDeleteInstance } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

/**
 * Deletes one instance, and of its volumes and floating IPs those that the input chooses. Reports
 * success only once a look at each of them shows that it is gone.
 *
 * Touches nothing that is neither named nor attached. Nothing can be undone: a cancellation, an
 * abort or a failure sends nothing more, and names what is still there. Answers the query `status`.
 * A refused key (`Unauthorized`) and two instances under one marker (`OutcomeUnknown`) block the run
 * until a person has helped, or fail it with `onBlocked: 'fail'`.
 * With `planOnly` nothing is sent: the result is a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
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
      prepare: prepareDeleteInstance,
      plan: planDeleteInstance,
    },
    (run) =>
      restartOnCorrectedInput(run, async (assertInput) => {
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
      }),
  );
}
