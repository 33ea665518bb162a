import type { ProvisionInstanceResult } from '../../../contract/operations/types.js';
import { NEW_INSTANCE, Operation, ResourceKind } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import { detailsOf, failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { isOutdated, type AssertInput } from '../../../engine/run/restart-on-corrected-input.js';
import type { RegisteredRollback } from '../../../engine/run/rollback.js';
import { partFields, partId } from '../../shared/run-part.js';
import { findAt } from './check-start.js';
import type { Moving } from './move-address.js';
import { deletePart, replacePart } from './replace-part.js';
import { namedBy, ReplaceStep, type ReplaceRun } from './replace-run.js';

/** The new instance, and what is left of it. */
interface Made {
  result?: ProvisionInstanceResult;
  left: Resource[];
}

/**
 * Creates the new instance by a run of its own, which undoes its work itself when it fails. After it has succeeded, this run
 * deletes the instance when a later step fails, unless an earlier run has made it.
 */
export async function createNew(
  run: ReplaceRun,
  step: StepRecorder,
  { moving, assertInput }: { moving: Moving; assertInput: AssertInput },
): Promise<{ created: ProvisionInstanceResult; undo: RegisteredRollback }> {
  const { place } = namedBy(run);
  const { onFailure } = run.prepared;
  const { instance, deleteOld } = run.input;
  const made: Made = { left: [] };
  const undo = run.onRollback(step, {
    undo: () => deleteNew(run, step, { made, moving }),
    inventory: () => Promise.resolve(made.left),
  });
  try {
    const result = await replacePart(run, step, {
      operation: Operation.provisionInstance,
      as: NEW_INSTANCE,
      input: { ...partFields(run), ...place, instance, onFailure },
      summary: 'create the instance',
      assertInput,
      onStarted: () => {
        if (deleteOld !== undefined) run.ledger.addSteps([ReplaceStep.delete]);
      },
    });
    made.result = result;
    made.left = result.ledger.flatMap(({ resources }) => resources);
    const { taskIds } = result;
    step.set(StepState.verified, { taskIds, resources: made.left, note: result.name });
    return { created: result, undo: result.adopted ? leave(run, step, { undo, made }) : undo };
  } catch (error) {
    if (isOutdated(error)) {
      undo.dismiss();
      throw error;
    }
    made.left = detailsOf(error).resources ?? [];
    step.set(StepState.failed, { resources: made.left });
    throw error;
  }
}

/** What an earlier run of the request has made may be in use since: this run only names it. */
function leave(
  run: ReplaceRun,
  step: StepRecorder,
  { undo, made }: { undo: RegisteredRollback; made: Made },
): RegisteredRollback {
  undo.dismiss();
  return run.onRollback(step, {
    inventory: () => Promise.resolve(made.left),
    note: 'it was there before this run',
  });
}

/** Never while the floating IP may lead to it: without an address nobody reaches anything. */
async function deleteNew(
  run: ReplaceRun,
  step: StepRecorder,
  { made: { result, left }, moving }: { made: Made; moving: Moving },
): Promise<void> {
  if (result === undefined) {
    if (left.length > 0) throw notUndoneFailure(`The run ${partId(NEW_INSTANCE)} has left things`);
    return;
  }
  const { instanceId } = result;
  const mayGetIt = moving.isUnclear === true || moving.isBackOpen === true;
  if (mayGetIt || (await findAt(run, instanceId)) !== undefined) {
    throw notUndoneFailure(`Instance ${instanceId} has the floating IP, or may get it`);
  }
  const volumes = left.flatMap(({ kind, id }) => (kind === ResourceKind.volume ? [id] : []));
  await deletePart(run, step, {
    instanceId,
    volumes: volumes.length === 0 ? 'keep' : volumes,
    // Somebody may have used the instance since it was made.
    unlessSnapshots: true,
    as: 'undo',
    summary: 'delete the new instance',
  });
}

function notUndoneFailure(why: string): Error {
  return failure(FailureType.removalBlocked, `${why}: it is not deleted.`, {
    advice: 'Look at both instances and at the floating IP, then delete what you do not need.',
  });
}
