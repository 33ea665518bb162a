import type { StepRecorder } from '../../engine/run/ledger.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import type { Run } from '../gcore.js';

/** Waits for the task that locks a resource. Returns whether it has waited, because the look is stale then. */
export async function waitForLock(
  run: Run,
  step: StepRecorder,
  { lockTaskId }: { lockTaskId?: string | undefined },
): Promise<boolean> {
  // Does not wait for a lock that outlives its task: the next call shows whether it still holds.
  if (lockTaskId === undefined || run.tasks.get(lockTaskId)?.outcome !== undefined) return false;
  await waitForTasks(run, [lockTaskId], { step, expect: 'lock' });
  return true;
}
