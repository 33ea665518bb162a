import type { RemoteApi } from '../core/product.js';
import type { SeenAfter, TaskView, WatchedTask } from '../core/tasks.js';
import type { Api } from './api.js';

/** A task that a run waits for. */
export interface WaitedTask<A extends RemoteApi = RemoteApi> extends WatchedTask {
  /** What a watcher reads as soon as the task has finished. */
  thenRead?: A['thenRead'];
}

export interface EndedTask<A extends RemoteApi = RemoteApi> extends TaskView<A['created']> {
  /** Missing where nothing was asked for, and where the read failed: then the run reads by itself. */
  seen?: SeenAfter<A['seen']>;
}

/** The calls by which a run waits for a task. Each fails as `NotFound` when the API no longer knows the task. */
export interface TaskCalls<A extends RemoteApi = RemoteApi> {
  /** Reads the task. */
  read(options: { summary: string }, task: { taskId: string }): Promise<TaskView<A['created']>>;
  /** Reads the task again and again, until it has ended or `giveUpAt` is over. */
  poll(options: { summary: string }, task: WatchedTask): Promise<TaskView<A['created']>>;
  /** Has a watcher look for all runs at once. */
  watch(
    options: { summary: string; scheduleToCloseTimeout?: number },
    task: WaitedTask<A>,
  ): Promise<EndedTask<A>>;
}

/** Which activities those are. */
export type TaskCallsOf<A extends RemoteApi> = (api: Api<A>) => TaskCalls<A>;
