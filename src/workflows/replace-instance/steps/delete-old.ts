import { Operation } from '../../../contract/wire/names.js';
import { StepState } from '../../../engine/core/status.js';
import { detailsOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { partFields } from '../../shared/run-part.js';
import { replacePart } from './replace-part.js';
import { namedBy, type ReplaceRun } from './replace-run.js';

type Choice = NonNullable<ReplaceRun['input']['deleteOld']> & { onStarted: () => void };

/** Deletes the old instance by a run of its own. No floating IP goes with it. Nothing undoes it. */
export async function deleteOld(
  run: ReplaceRun,
  step: StepRecorder,
  { volumes, onStarted }: Choice,
): Promise<void> {
  const { place, oldId: instanceId } = namedBy(run);
  try {
    const result = await replacePart(run, step, {
      operation: Operation.deleteInstance,
      as: 'delete',
      input: { ...partFields(run), ...place, instanceId, volumes, floatingIps: 'keep' },
      summary: 'delete the old instance',
      onStarted,
    });
    const { alreadyGone, taskIds } = result;
    step.set(StepState.verified, { taskIds, note: alreadyGone ? 'was gone already' : 'deleted' });
  } catch (error) {
    step.set(StepState.failed, { resources: detailsOf(error).resources ?? [] });
    throw error;
  }
}
