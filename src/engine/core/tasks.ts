/** What an engine knows of the tasks of an API: work that a call has started and that ends by itself. */

import type { FailureType } from './failures.js';

/** What a call answers that starts tasks. */
export interface StartedTasks {
  taskIds: string[];
}

export interface StartedRemoval extends StartedTasks {
  /** The API refused for now: another resource uses this one, and may have to be deleted first. */
  isBusy?: true;
  /** The API does not know the resource. Without this, an answer without a task proves nothing. */
  isGone?: true;
  /** The ids of what goes with it, where that is less than was asked for. */
  takes?: readonly string[];
}

/** A task as an activity has read it. `Created` is what the API says that it has made. */
export interface TaskView<Created extends object = object> {
  id: string;
  type: string;
  state: string;
  error: string | undefined;
  /** Class of the whole error text, of which a part may be redacted; missing without a text. */
  errorType?: TaskErrorType;
  created: Created;
}

/** Why a task ended in ERROR. A person or time can mend the first two. */
export type TaskErrorType = Extract<
  FailureType,
  'QuotaExceeded' | 'CapacityUnavailable' | 'TaskFailed'
>;

/** A task that somebody waits for. */
export interface WatchedTask {
  taskId: string;
  /** The expected task type: it decides when the first look is worth a request. */
  type: string;
  /** When the wait began, in milliseconds since the epoch, by the time of the run. */
  since: number;
  /** The first look after this time is the last one, even when the task has not ended; default never. */
  giveUpAt?: number;
}

/** What reads have shown that began after the task had finished, and the `serverTime` at which they began. */
export type SeenAfter<Seen extends object = object> = Seen & { readAt: number };

/** The reads of a watcher, with the error texts as they are. `since`: only tasks created at or after this time of our clock. */
export interface TaskReads<V extends TaskView = TaskView> {
  /** Rows on a page of the lists. */
  pageSize: number;
  getTask(input: { taskId: string }): Promise<V>;
  listActiveTaskIds(): Promise<string[]>;
  listEndedTasks(input: { since: number }): Promise<V[]>;
}

/** The states of a task. */
export const TaskState = {
  new: 'NEW',
  running: 'RUNNING',
  finished: 'FINISHED',
  error: 'ERROR',
} as const;

/** Waiting ends only at these states. Any other state, documented or not, means "keep waiting". */
export type TerminalTaskState = typeof TaskState.finished | typeof TaskState.error;

export function isTerminal(state: string): state is TerminalTaskState {
  return state === TaskState.finished || state === TaskState.error;
}
