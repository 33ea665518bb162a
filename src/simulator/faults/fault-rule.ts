import type { TaskFailure } from '../state/simulator-state.js';

/**
 * A scripted fault: which requests it meets and what goes wrong with them.
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
  /** A text equals the path of the request, a pattern is found in it. Neither sees the query. */
  path?: string | RegExp;
  /** The same for the `User-Agent`: the worker's names the run that a request belongs to. */
  userAgent?: string | RegExp;
  /** The first of the matching requests that the rule applies to, counted from 1. */
  nth?: number;
  /** How many requests the rule applies to; 1 when left out, `Infinity` for all that follow. */
  times?: number;
}

export type FaultAction =
  /** The connection dies before the request is processed: nothing happened. */
  | { kind: 'drop-request' }
  /** The request is processed, then the connection dies without an answer. */
  | { kind: 'drop-response' }
  | StatusAction
  | DelayAction
  /** No answer, ever: until the client goes away or the simulator closes. */
  | { kind: 'hang'; afterProcessing?: boolean }
  /**
   * The task that the mutation starts ends in ERROR. A failed creation leaves behind nothing (the
   * default), its new volumes in status `error`, the instance in status ERROR with all it has, or
   * the DDoS profile in status `Error`, not active. A failed change or deletion leaves everything as
   * it was, but for the status of a profile.
   */
  | { kind: 'task-error'; error: string; leftovers?: TaskFailure['leftovers'] }
  /**
   * What the mutation creates shows up in lists only `ms` later, its task too unless
   * `tasksAtOnce`. Gets by id see it at once. A DDoS profile that it changes is listed as it was
   * before for `ms` after the end of the task.
   */
  | { kind: 'list-lag'; ms: number; tasksAtOnce?: boolean }
  /** Only the first `items` of a batch are made. */
  | { kind: 'partial-batch'; items: number };

/** An answer that is not the API's: an error, a gateway's page, a body that ends in the middle. */
export interface StatusAction {
  kind: 'status';
  status: number;
  /** Whether the request takes effect first. */
  afterProcessing?: boolean;
  /** Value of the `Retry-After` header. */
  retryAfter?: string;
  /** A text is sent as it is, anything else as JSON; left out, an error has the body of the cloud area. */
  body?: unknown;
  contentType?: string;
}

/**
 * The right answer, but late: after `ms`, or once `until` is settled. As with any server, a client
 * that goes away meanwhile stops nothing: the request is processed all the same.
 */
export type DelayAction = {
  kind: 'delay';
  /** Whether the request takes effect at once and only its answer is late. */
  afterProcessing?: boolean;
} & ({ ms: number } | { until: Promise<unknown> });

export type FaultKind = FaultAction['kind'];
