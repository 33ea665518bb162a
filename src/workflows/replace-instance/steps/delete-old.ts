import { StepState } from '../../../engine/core/status.js';
import { FailureType } from '../../../engine/core/failures.js';
import { detailsOf, failure } from '../../../engine/run/failures.js';
import { lookUnpaused } from '../../../engine/run/look-unpaused.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { findAt } from './check-start.js';
import { deletePart } from './replace-part.js';
import { namedBy, type ReplaceRun } from './replace-run.js';

type Choice = NonNullable<ReplaceRun['input']['deleteOld']> & {
  newId: string;
  onStarted: () => void;
};

/**
 * Deletes the old instance by a run of its own. No floating IP goes with it. Nothing undoes it. Fails as `InvalidRequest` when
 * the floating IP does not lead to the new instance any more.
 */
export async function deleteOld(
  run: ReplaceRun,
  step: StepRecorder,
  { volumes, newId, onStarted }: Choice,
): Promise<void> {
  // In a pause somebody may move it: the look before it would say nothing any more.
  await lookUnpaused(run, () => refuseMovedAway(run, newId));
  try {
    const { alreadyGone, taskIds } = await deletePart(run, step, {
      instanceId: namedBy(run).oldId,
      volumes,
      as: 'delete',
      summary: 'delete the old instance',
      onStarted,
    });
    step.set(StepState.verified, { taskIds, note: alreadyGone ? 'was gone already' : 'deleted' });
  } catch (error) {
    step.set(StepState.failed, { resources: detailsOf(error).resources ?? [] });
    throw error;
  }
}

async function refuseMovedAway(run: ReplaceRun, newId: string): Promise<void> {
  if ((await findAt(run, newId)) !== undefined) return;
  const { oldId, floatingIpId } = namedBy(run);
  throw failure(
    FailureType.invalidRequest,
    `Somebody has moved floating IP ${floatingIpId} away from instance ${newId}: instance ${oldId} is not deleted.`,
    { advice: 'Find out who has moved it, then start again.' },
  );
}
