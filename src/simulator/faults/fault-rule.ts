import type { TaskFailure } from '../state/task-entities.js';

/**
 * A scripted fault: which requests it affects and what goes wrong with them.
 *
 * @example
 * { match: { method: 'POST', path: /\/cloud\/v2\/instances\// }, action: { kind: 'drop-response' } }
 */
export interface FaultRule {
  match: FaultMatch;
  action: FaultAction;
}

export interface FaultMatch {
  method?: string;
  /** A text must equal the path of the request; a pattern must match a part of it. The query does not count. */
  path?: string | RegExp;
  /** The same for the `User-Agent`. The worker names the run of a request in it. */
  userAgent?: string | RegExp;
  /** Number of the first matching request that the rule applies to, counted from 1. */
  nth?: number;
  /** Number of requests that the rule applies to; 1 when left out, `Infinity` for all that follow. */
  times?: number;
  /** Of the requests from `nth` on, only every n-th one; 1 when left out. */
  every?: number;
}

export type FaultAction =
  /** The connection breaks before the request is processed: nothing happened. */
  | { kind: 'drop-request' }
  /** The request is processed, then the connection breaks without an answer. */
  | { kind: 'drop-response' }
  | StatusAction
  | RateLimitAction
  | DelayAction
  /** No answer until the client disconnects or the simulator closes. */
  | { kind: 'hang'; afterProcessing?: boolean }
  /**
   * The task that the mutation starts ends in ERROR. A failed creation leaves behind nothing (the
   * default), its new volumes in status `error`, the whole instance in status ERROR, both of them apart
   * from each other, or the inactive DDoS profile in status `Error`. A failed change or deletion changes nothing except the status of a
   * profile.
   */
  | { kind: 'task-error'; error: string; leftovers?: TaskFailure['leftovers'] }
  /**
   * Lists show new resources of the mutation only after `ms`. The list of tasks lags too, unless
   * `tasksAtOnce`. A GET by id shows them immediately. Lists show a changed DDoS profile as it was
   * before until `ms` after the end of the task.
   */
  | { kind: 'list-lag'; ms: number; tasksAtOnce?: boolean }
  /** Only the first `items` of a batch are created. */
  | { kind: 'partial-batch'; items: number }
  /** The task that the mutation starts takes `factor` times as long. */
  | { kind: 'slow-task'; factor: number };

/** A scripted answer: an error, the page of a gateway, a truncated body. */
export interface StatusAction {
  kind: 'status';
  status: number;
  /** Whether the request is processed first. */
  afterProcessing?: boolean;
  /** Value of the `Retry-After` header. */
  retryAfter?: string;
  /** A text is sent unchanged, anything else as JSON. When left out, an error has the body of the cloud area. */
  body?: unknown;
  contentType?: string;
}

/**
 * The requests that match share a token bucket; without a token the answer is 429. It comes before all
 * other rules, and they do not count what it refuses. `nth`, `times` and `every` do not apply.
 */
export interface RateLimitAction {
  kind: 'rate-limit';
  perSecond: number;
  /** Requests that may come at once after an idle time. Default: 1. */
  burst?: number;
  /** Whether the answer says how long to wait, in whole seconds. */
  retryAfter?: boolean;
}

/**
 * The right answer, but late: after `ms`, or when `until` settles. The request is processed even if
 * the client disconnects meanwhile, as with any server.
 */
export type DelayAction = {
  kind: 'delay';
  /** Whether the request is processed immediately and only its answer is late. */
  afterProcessing?: boolean;
} & ({ ms: number } | { until: Promise<unknown> });

export type FaultKind = FaultAction['kind'];
