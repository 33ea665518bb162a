import { performance } from 'node:perf_hooks';

import { Context } from '@temporalio/activity';

import type { HeartbeatDetails } from '../schema/heartbeat-details.js';
import { attemptOf, beat } from '../activities/attempt.js';
import { laneOf, type Lane } from './lanes.js';

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
  };
}

/** Milliseconds until the attempt is over. */
export function timeLeft({ endsAt = Infinity }: CallContext): number {
  return endsAt - performance.now();
}
