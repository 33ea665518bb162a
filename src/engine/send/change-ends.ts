import type { RemoteApi } from '../core/product.js';
import { StepState } from '../core/status.js';
import type { StartedTasks } from '../core/tasks.js';
import type { ChangeRun, TaskOutcome } from '../run/run-types.js';
import { waitForTasks } from '../wait/wait-for-tasks.js';
import type { ChangeTasks, OneChange } from './one-change.js';

/** The call as the API has taken it. */
export interface FoundTasks extends StartedTasks {
  /** They were found later, among all tasks. */
  mayHaveEnded?: true;
  /** The API has answered the call: where it has no tasks, that says that it was carried out. */
  isAnswered?: true;
}

export interface EndedChange<T> {
  /** As far as the answer of the call or its tasks say it. */
  isCarriedOut: boolean;
  /** The state as a watcher has read it after that. */
  seen?: T | undefined;
}

/** Waits for the end of a call. */
export async function untilChangeEnds<T extends object, A extends RemoteApi>(
  run: ChangeRun<A>,
  change: Pick<OneChange<T, A>, 'step' | 'tasks' | 'read'>,
  taken: FoundTasks,
): Promise<EndedChange<T> | { failure: Error }> {
  const { tasks, step } = change;
  const { taskIds, isAnswered = false } = taken;
  // The answer of a call may be its result.
  if (tasks === undefined || (isAnswered && taskIds.length === 0)) {
    return { isCarriedOut: isAnswered };
  }
  const ended = await waitForTasks(run, taskIds, waitOf(step, tasks, taken));
  const isCarriedOut = ended.some(({ state }) => state === 'FINISHED');
  // Of several that were found, one is of this run.
  const mayBeOther = taken.mayHaveEnded === true && isCarriedOut;
  const failed = mayBeOther ? undefined : ended.find(({ state }) => state === 'ERROR');
  if (failed === undefined) return { isCarriedOut, seen: stateIn(tasks, ended) };
  const failure = tasks.toFailure(failed, await change.read());
  step.set(StepState.failed, { note: failed.error ?? 'no reason given' });
  return { failure };
}

function waitOf<T extends object, A extends RemoteApi>(
  step: OneChange<T, A>['step'],
  { type: expect, readAfter: thenRead }: ChangeTasks<T, A>,
  { mayHaveEnded }: FoundTasks,
) {
  return { step, expect, mayHaveEnded: mayHaveEnded === true, ...(thenRead && { thenRead }) };
}

function stateIn<T extends object, A extends RemoteApi>(
  tasks: ChangeTasks<T, A>,
  ended: readonly TaskOutcome<A>[],
): T | undefined {
  const seen = ended[0]?.seen;
  return seen && tasks.stateIn?.(seen);
}
