import type { WatchedTask } from '../activities/task-watcher.js';
import type { EndedTask, ReadAfter } from '../../activities/watch.js';
import { isTerminal } from '../core/task-state.js';
import type { TaskOutcome } from '../run/run-types.js';

export interface WaitedTask extends WatchedTask {
  /** What a watcher reads as soon as the task has finished. */
  thenRead?: ReadAfter;
}

/** `undefined` while the task has not ended. A task that the API no longer knows is `GONE`. */
export function toOutcome(taskId: string, ended: EndedTask | undefined): TaskOutcome | undefined {
  if (ended === undefined) return goneOutcome(taskId);
  const { id, state, error, errorType, created, seen } = ended;
  if (!isTerminal(state)) return undefined;
  return { id, state, error, errorType, created, ...(seen && { seen }) };
}

function goneOutcome(id: string): TaskOutcome {
  const created = { instances: [], volumes: [], floatingIps: [] };
  return { id, state: 'GONE', error: undefined, errorType: undefined, created };
}
