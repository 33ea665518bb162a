import type { RemoteApi } from '../core/remote-api.js';
import { isTerminal } from '../core/task-state.js';
import type { ApiRun, TaskOutcome } from '../run/run-types.js';
import type { EndedTask, TaskCalls } from '../run/task-calls.js';

/** `undefined` while the task has not ended. A task that the API no longer knows is `GONE`. */
export function toOutcome<A extends RemoteApi>(
  taskId: string,
  ended: EndedTask<A> | undefined,
): TaskOutcome<A> | undefined {
  if (ended === undefined) return goneOutcome(taskId);
  const { id, state, error, errorType, created, seen } = ended;
  if (!isTerminal(state)) return undefined;
  return { id, state, error, errorType, created, ...(seen && { seen }) };
}

function goneOutcome(id: string): TaskOutcome<never> {
  return { id, state: 'GONE', error: undefined, errorType: undefined, created: undefined };
}

/** The calls by which a run waits for a task. A run whose API has no tasks never gets the id of one. */
export function taskCallsOf<A extends RemoteApi>({ taskCalls }: ApiRun<A>): TaskCalls<A> {
  if (taskCalls === undefined) throw new Error('The product names no calls for tasks');
  return taskCalls;
}
