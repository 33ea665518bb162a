import { Context } from '@temporalio/activity';
import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

import { attemptOf, beat } from '../activities/attempt.js';
import type { ApiDescription } from './api-description.js';
import { withDeadline } from './deadline.js';
import { laneOf, type Lane } from './lanes.js';
import type { HeartbeatDetails } from '../schema/heartbeat-details.js';

/** Who makes a call, and how long it may take. */
export interface CallContext {
  /** Aborts when the caller is cancelled. */
  cancelled: AbortSignal;
  workflowId: string | undefined;
  /** Type of the running activity. */
  activity?: string;
  /** The calls of a lane wait for one another; default normal. */
  lane?: Lane;
  /** When the attempt of the caller began; now when left out. By the monotonic clock, as all times here. */
  startedAt?: number;
  /** When nobody waits for the attempt any more. */
  endsAt?: number;
  /** Called right before a request goes out. */
  onSend?: () => void;
  /** Called while a call waits for its permit or for its repeat, and with nothing when it does not any more. */
  onWait?: (details: HeartbeatDetails | undefined) => void;
}

/** A part of an activity whose calls have less time than the whole. */
const parts = new AsyncLocalStorage<Required<Pick<CallContext, 'cancelled' | 'endsAt'>>>();

/**
 * Runs a part of the running activity. Fails when it has not ended within `ms`: a call whose turn, or whose repeat, comes too late
 * for that does not go out.
 */
export function withinMs<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const { cancellationSignal: cancelled } = Context.current();
  const endsAt = performance.now() + ms;
  return withDeadline({ ms, cancelled }, (signal) => parts.run({ cancelled: signal, endsAt }, act));
}

/** The running activity. */
export function contextOfActivity(): CallContext {
  const context = Context.current();
  const { workflowExecution, priority, startToCloseTimeoutMs, activityType } = context.info;
  const attempt = attemptOf(context);
  return {
    cancelled: context.cancellationSignal,
    workflowId: workflowExecution?.workflowId,
    activity: activityType,
    lane: laneOf(priority?.priorityKey),
    startedAt: attempt.startedAt,
    endsAt: attempt.startedAt + (startToCloseTimeoutMs || Infinity),
    onSend: attempt.noteSent,
    onWait: (details) => {
      attempt.waiting = details;
      // Also learns that the activity was cancelled.
      beat(context);
    },
    ...parts.getStore(),
  };
}

/** Milliseconds until the attempt is over. */
export function timeLeft({ endsAt = Infinity }: CallContext): number {
  return endsAt - performance.now();
}

/** One call, as metrics and traces name it. */
export interface ObservedCall {
  method: string;
  /** With the ids of projects and resources, without a query. */
  path: string;
  /** The first part of the path, such as `cloud`. */
  area: string;
  /** The activity; `background` for calls that belong to none, such as those of the watcher. */
  operation: string;
}

/** How one exchange ended. */
export interface Exchanged {
  /** Missing without an answer. */
  status?: number;
  /** Why there is no answer. */
  lost?: LostCause;
  /** The body of the answer, if it is JSON. */
  json?: unknown;
}

export type LostCause = 'timeout' | 'connection_lost' | 'not_connected';

/** Why a call was not sent. */
export type HeldReason = 'breaker' | 'key' | 'rate' | 'late' | 'withdrawn' | 'stopping';

/** Hears of every call of an account. It must not throw. */
export interface CallObserver {
  /** Runs an exchange, each try by itself. The result is that of `send`. */
  exchange<T extends Exchanged>(call: ObservedCall, send: () => Promise<T>): Promise<T>;
  held(call: ObservedCall, reason: HeldReason): void;
  /** A call has had its turn, or will not get one. */
  waited(lane: Lane, ms: number): void;
}

const BACKGROUND = 'background';

export function observedCall(
  { method, path }: { method: string; path: string },
  { activity = BACKGROUND }: CallContext,
  { placeOf }: Pick<ApiDescription, 'placeOf'>,
): ObservedCall {
  return { method, path, area: placeOf(path).circuit.area, operation: activity };
}
