import type { ActivityKind } from '../activities/activity-groups.js';

/** An API as types: what a worker can call, and what its tasks and watchers tell. */
export interface RemoteApi {
  /** The activities of one account, by the effect of a repeat; and those that wait for tasks. */
  groups: Record<ActivityKind | 'watch', object>;
  /** What a task says that it has made. */
  created: object;
  /** What a watcher may read once a task has finished, and what that has shown. */
  thenRead: object;
  seen: object;
}
