import type { RemoteApi } from '../core/product.js';
import { StepState } from '../core/status.js';
import type { StartedTasks } from '../core/tasks.js';
import type { ChangeRun } from '../run/run-types.js';
import { stateAfter, waitForTasks } from '../wait/wait-for-tasks.js';
import type { OneChange } from './one-change.js';

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
  const { type: expect, after } = tasks;
  const mayHaveEnded = taken.mayHaveEnded === true;
  const wait = { step, expect, mayHaveEnded, thenRead: after?.read };
  const ended = await waitForTasks(run, taskIds, wait);
  const isCarriedOut = ended.some(({ state }) => state === 'FINISHED');
  // Of several that were found, one is of this run.
  const mayBeOther = mayHaveEnded && isCarriedOut;
  const failed = mayBeOther ? undefined : ended.find(({ state }) => state === 'ERROR');
  if (failed === undefined) return { isCarriedOut, seen: stateAfter(after, ended) };
  const failure = tasks.toFailure(failed, await change.read());
  step.set(StepState.failed, { note: failed.error ?? 'no reason given' });
  return { failure };
}
