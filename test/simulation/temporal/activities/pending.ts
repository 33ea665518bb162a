import { PendingActivityState as State } from '../base/proto.js';
import { toDuration, toTimestamp } from '../base/values.js';
import type { Activity, PauseInfo } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { expiresAt } from './finish.js';

type StateValue = (typeof State)[keyof typeof State];

function stateOf({ cancelRequestedEventId, startedAt, pause }: Activity): StateValue {
  if (cancelRequestedEventId !== undefined) return State.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED;
  if (startedAt !== undefined) {
    return pause === undefined
      ? State.PENDING_ACTIVITY_STATE_STARTED
      : State.PENDING_ACTIVITY_STATE_PAUSE_REQUESTED;
  }
  return pause === undefined
    ? State.PENDING_ACTIVITY_STATE_SCHEDULED
    : State.PENDING_ACTIVITY_STATE_PAUSED;
}

const stamp = (at: number | undefined) => (at === undefined ? null : toTimestamp(at));

/** An activity as the description of its run shows it. */
export function pendingActivity(server: Server, activity: Activity): object {
  const isWaiting =
    activity.startedAt === undefined &&
    activity.pause === undefined &&
    activity.scheduledAt > server.clock.now();
  return {
    activityId: activity.activityId,
    activityType: activity.scheduled.activityType ?? null,
    state: stateOf(activity),
    heartbeatDetails: activity.heartbeatDetails ?? null,
    lastHeartbeatTime: stamp(activity.heartbeatAt),
    lastStartedTime: stamp(activity.startedAt),
    attempt: activity.attempt,
    maximumAttempts: activity.retryPolicy.maximumAttempts ?? 0,
    scheduledTime: toTimestamp(activity.scheduledAt),
    expirationTime: stamp(expiresAt(activity)),
    lastFailure: activity.lastFailure ?? null,
    lastWorkerIdentity: activity.identity || activity.lastIdentity,
    currentRetryInterval: isWaiting ? waitOf(activity) : null,
    lastAttemptCompleteTime: stamp(activity.lastAttemptCompletedAt),
    nextAttemptScheduleTime: isWaiting ? toTimestamp(activity.scheduledAt) : null,
    paused: activity.pause !== undefined,
    pauseInfo: activity.pause === undefined ? null : pauseInfo(activity.pause),
    priority: activity.priority ?? null,
    activityOptions: optionsOf(activity),
  };
}

function waitOf({ scheduledAt, lastAttemptCompletedAt }: Activity) {
  return toDuration(scheduledAt - (lastAttemptCompletedAt ?? scheduledAt));
}

function pauseInfo({ pausedAt, identity, reason }: PauseInfo): object {
  return { pauseTime: toTimestamp(pausedAt), manual: { identity, reason } };
}

export function optionsOf(activity: Activity): object {
  return {
    taskQueue: { name: activity.taskQueue, normalName: activity.taskQueue },
    scheduleToCloseTimeout: toDuration(activity.scheduleToCloseMs),
    scheduleToStartTimeout: toDuration(activity.scheduleToStartMs),
    startToCloseTimeout: toDuration(activity.startToCloseMs),
    heartbeatTimeout: toDuration(activity.heartbeatMs),
    retryPolicy: activity.retryPolicy,
    priority: activity.priority ?? null,
  };
}
