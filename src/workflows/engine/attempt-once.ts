import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import type { StartedTasks } from '../../activities/instances.js';
import { StepState } from '../../contract/status.js';
import { classifyAttempt, type Attempt } from './classify-attempt.js';
import type { StepRecorder } from './ledger.js';

/**
 * One attempt of a change that converges, carried to a known end: shielded from cancellation. No
 * task ids mean that there was nothing to change.
 */
export async function attemptOnce(
  step: StepRecorder,
  send: () => Promise<StartedTasks>,
): Promise<Attempt> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  step.set(StepState.sending);
  try {
    const { taskIds } = await CancellationScope.nonCancellable(send);
    return { kind: 'accepted', taskIds };
  } catch (error) {
    return classifyAttempt(error);
  }
}
