import type { Failure, Payloads } from '../base/proto.js';
import { EventType, RetryState } from '../base/proto.js';
import { toLong, toTimestamp } from '../base/values.js';
import { record } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { nextAttempt } from './retry.js';
import { dispatchActivityAt, dropActivity } from './schedule.js';

export type RetryStateValue = (typeof RetryState)[keyof typeof RetryState];

/**
 * Writes that the last attempt has started. Only now: an attempt that is repeated leaves no event.
 * The time is the one at which it really started.
 */
function recordStart(server: Server, execution: Execution, activity: Activity): void {
  if (activity.startedAt === undefined) return;
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED,
    eventTime: toTimestamp(activity.startedAt),
    activityTaskStartedEventAttributes: {
      scheduledEventId: toLong(activity.scheduledEventId),
      identity: activity.identity,
      requestId: activity.requestId,
      attempt: activity.attempt,
      lastFailure: activity.lastFailure ?? null,
    },
  });
}

/** Tells the run how the activity ended. The event is added by `add`. */
function end(
  server: Server,
  execution: Execution,
  { activity, add }: { activity: Activity; add: () => void },
): void {
  recordStart(server, execution, activity);
  add();
  dropActivity(execution, activity);
}

const idsOf = (activity: Activity) => ({
  scheduledEventId: toLong(activity.scheduledEventId),
  startedEventId: toLong(0),
});

export interface Ending {
  activity: Activity;
  identity: string;
}

export function completeActivity(
  server: Server,
  execution: Execution,
  { activity, identity, result }: Ending & { result: Payloads | null },
): void {
  end(server, execution, {
    activity,
    add: () => {
      record(server, execution, {
        eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
        activityTaskCompletedEventAttributes: { result, ...idsOf(activity), identity },
      });
    },
  });
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
}

/** Adds the event of a cancelled activity. The caller sees to the workflow task. */
export function recordActivityCanceled(
  server: Server,
  execution: Execution,
  { activity, identity, details }: Ending & { details: Payloads | null },
): void {
  end(server, execution, {
    activity,
    add: () => {
      record(server, execution, {
        eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
        activityTaskCanceledEventAttributes: {
          details,
          latestCancelRequestedEventId: toLong(activity.cancelRequestedEventId ?? 0),
          ...idsOf(activity),
          identity,
        },
      });
    },
  });
}

/** Ends an attempt with a failure: it is repeated, or the run is told. */
export function failActivity(
  server: Server,
  execution: Execution,
  { activity, identity, failure }: Ending & { failure: Failure },
): void {
  const retryState = retryActivity(server, execution, { activity, failure });
  if (retryState !== RetryState.RETRY_STATE_IN_PROGRESS) {
    recordActivityFailed(server, execution, { activity, identity, failure, retryState });
    scheduleWorkflowTask(server, execution);
  }
  commit(server, execution);
}

export function recordActivityFailed(
  server: Server,
  execution: Execution,
  ending: Ending & { failure: Failure; retryState: RetryStateValue },
): void {
  const { activity, identity, failure, retryState } = ending;
  end(server, execution, {
    activity,
    add: () => {
      record(server, execution, {
        eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
        activityTaskFailedEventAttributes: { failure, ...idsOf(activity), identity, retryState },
      });
    },
  });
}

export function recordActivityTimedOut(
  server: Server,
  execution: Execution,
  {
    activity,
    failure,
    retryState,
  }: { activity: Activity; failure: Failure; retryState: RetryStateValue },
): void {
  end(server, execution, {
    activity,
    add: () => {
      record(server, execution, {
        eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
        activityTaskTimedOutEventAttributes: { failure, ...idsOf(activity), retryState },
      });
    },
  });
}

/** Plans the next attempt where there is one. */
export function retryActivity(
  server: Server,
  execution: Execution,
  { activity, failure }: { activity: Activity; failure: Failure },
): RetryStateValue {
  // Once a cancel is requested, no attempt is repeated, not even one that timed out.
  if (activity.cancelRequestedEventId !== undefined) {
    return RetryState.RETRY_STATE_CANCEL_REQUESTED;
  }
  const now = server.clock.now();
  const retry = nextAttempt(failure, {
    now,
    attempt: activity.attempt,
    policy: activity.retryPolicy,
    expiresAt: expiresAt(activity),
  });
  if (retry.state !== RetryState.RETRY_STATE_IN_PROGRESS) return retry.state;
  endAttempt(activity, failure, now);
  if (activity.pause === undefined) {
    dispatchActivityAt(server, execution, { activity, at: now + retry.waitMs });
  }
  return retry.state;
}

function endAttempt(activity: Activity, failure: Failure, now: number): void {
  activity.attempt += 1;
  activity.startedAt = undefined;
  activity.requestId = '';
  activity.lastIdentity = activity.identity;
  activity.identity = '';
  activity.lastFailure = failure;
  activity.lastAttemptCompletedAt = now;
  if (activity.resetsHeartbeats) {
    activity.heartbeatDetails = undefined;
    activity.heartbeatAt = undefined;
  }
  activity.isReset = false;
  activity.resetsHeartbeats = false;
  activity.stamp += 1;
}

/** When the activity must be over, all attempts included. */
export function expiresAt({ scheduleToCloseMs, firstScheduledAt }: Activity): number | undefined {
  return scheduleToCloseMs > 0 ? firstScheduledAt + scheduleToCloseMs : undefined;
}
