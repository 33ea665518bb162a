import type { HistoryEvent, RetryPolicy } from '../base/proto.js';
import { toDuration, toMs, toNumber, toTime } from '../base/values.js';
import { atTime } from '../history/wakes.js';
import { commit } from '../workflow-tasks/commit.js';
import { drawId } from '../model/ids.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Poll } from '../model/queues.js';
import type { Server } from '../model/server.js';
import { dispatch } from '../queues/matching.js';
import { mergePriority, priorityOf } from '../queues/priority.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { activityTaskAnswer } from './poll-answer.js';

const DEFAULT_INITIAL_MS = 1_000;
const DEFAULT_COEFFICIENT = 2;
const MAXIMUM_OF_INITIAL = 100;

/** A retry policy with what the server fills in. */
export function fullRetryPolicy(policy: RetryPolicy | null | undefined): RetryPolicy {
  const initial = toMs(policy?.initialInterval) || DEFAULT_INITIAL_MS;
  const maximum = toMs(policy?.maximumInterval) || initial * MAXIMUM_OF_INITIAL;
  return {
    initialInterval: toDuration(initial),
    backoffCoefficient: policy?.backoffCoefficient || DEFAULT_COEFFICIENT,
    maximumInterval: toDuration(maximum),
    maximumAttempts: policy?.maximumAttempts ?? 0,
    nonRetryableErrorTypes: policy?.nonRetryableErrorTypes ?? [],
  };
}

/** The state of an activity that an event of the history has scheduled. */
export function activityOf(execution: Execution, event: HistoryEvent): Activity | undefined {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (scheduled === null || scheduled === undefined) return undefined;
  const at = toTime(event.eventTime) ?? 0;
  return {
    scheduledEventId: toNumber(event.eventId),
    activityId: scheduled.activityId ?? '',
    type: scheduled.activityType?.name ?? '',
    scheduled,
    taskQueue: scheduled.taskQueue?.name ?? execution.taskQueue,
    scheduleToCloseMs: toMs(scheduled.scheduleToCloseTimeout),
    scheduleToStartMs: toMs(scheduled.scheduleToStartTimeout),
    startToCloseMs: toMs(scheduled.startToCloseTimeout),
    heartbeatMs: toMs(scheduled.heartbeatTimeout),
    retryPolicy: fullRetryPolicy(scheduled.retryPolicy),
    priority: scheduled.priority ?? undefined,
    attempt: 1,
    firstScheduledAt: at,
    scheduledAt: at,
    startedAt: undefined,
    requestId: '',
    identity: '',
    lastIdentity: '',
    lastFailure: undefined,
    lastAttemptCompletedAt: undefined,
    heartbeatDetails: undefined,
    heartbeatAt: undefined,
    cancelRequestedEventId: undefined,
    pause: undefined,
    isReset: false,
    resetsHeartbeats: false,
    stamp: 0,
  };
}

export function keepActivity(execution: Execution, activity: Activity): void {
  execution.activities.set(activity.scheduledEventId, activity);
  execution.activityIds.set(activity.activityId, activity.scheduledEventId);
}

export function dropActivity(execution: Execution, activity: Activity): void {
  execution.activities.delete(activity.scheduledEventId);
  execution.activityIds.delete(activity.activityId);
}

/** Hands this attempt to its queue. */
export function dispatchActivity(server: Server, execution: Execution, activity: Activity): void {
  const { attempt, stamp } = activity;
  const isPending = (): boolean =>
    execution.activities.get(activity.scheduledEventId) === activity &&
    activity.attempt === attempt &&
    activity.stamp === stamp &&
    activity.startedAt === undefined &&
    isRunning(execution);
  dispatch(
    server,
    {
      priority: priorityOf(mergePriority(execution.priority, activity.priority)),
      start: (poll) => (isPending() ? start(server, execution, { activity, poll }) : undefined),
    },
    { type: 'activity', name: () => (isPending() ? activity.taskQueue : undefined) },
  );
}

/** Hands an attempt to its queue once its time has come. */
export function dispatchActivityAt(
  server: Server,
  execution: Execution,
  { activity, at }: { activity: Activity; at: number },
): void {
  const { attempt, stamp } = activity;
  activity.scheduledAt = at;
  if (at <= server.clock.now()) {
    dispatchActivity(server, execution, activity);
    return;
  }
  atTime(server, at, () => {
    const isSame = activity.attempt === attempt && activity.stamp === stamp;
    if (!isSame || activity.pause !== undefined || !isRunning(execution)) return;
    dispatchActivity(server, execution, activity);
  });
}

function start(
  server: Server,
  execution: Execution,
  { activity, poll }: { activity: Activity; poll: Poll },
): object {
  activity.startedAt = server.clock.now();
  activity.requestId = drawId(server.draw);
  activity.identity = poll.identity;
  const answer = activityTaskAnswer(server, execution, activity);
  commit(server, execution);
  return answer;
}
