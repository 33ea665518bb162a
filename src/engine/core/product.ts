import type { ActivityKind } from '../activities/activity-groups.js';
import type { Known, PreparedRun } from './prepared-run.js';
import type { WorkflowMetrics } from './metrics.js';

/** The names that the engine is told: those on the wire, and those in texts. */
export interface Product {
  /** For whoever is called by it. */
  readonly name: string;
  /** Task queues of one account. */
  readonly queues: {
    readonly api: (account: string) => string;
    readonly urgent: (account: string) => string;
    readonly watch: (account: string) => string;
    readonly webhooks: (account: string) => string;
  };
  readonly searchAttributes: {
    readonly phase: string;
    readonly account: string;
    readonly resourceId: string;
    readonly labels: string;
  };
  readonly metrics: WorkflowMetrics;
  /** What `prepare…` of an operation returns, as far as this version knows it. */
  readonly preparedFields: Readonly<Record<string, Known>>;
  /**
   * What later runs of the request have to know of this one and its input does not say, because a worker has added it: another
   * worker may add something else. The run keeps it in its memo.
   */
  readonly kept?: (
    prepared: PreparedRun,
    input: unknown,
  ) => Readonly<Record<string, unknown>> | undefined;
  /** The settings of a worker that a person is told to look at. */
  readonly settings: { readonly watcher: string; readonly webhooks: string };
}

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

/** The answer of a read, with the time of its first request. */
export interface Stamped<R> {
  result: R;
  /**
   * By the clock of the Temporal server, in milliseconds since the epoch. Null when nothing was sent, or when an
   * earlier attempt of the read has sent a part of it.
   */
  readAt: number | null;
}
