import { writeToken } from '../base/token.js';
import { toDuration, toTimestamp } from '../base/values.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { mergePriority } from '../queues/priority.js';

/** What a worker gets with an attempt of an activity. */
export function activityTaskAnswer(server: Server, execution: Execution, activity: Activity) {
  const { scheduled, startedAt = 0 } = activity;
  return {
    taskToken: writeToken({
      workflowId: execution.workflowId,
      runId: execution.runId,
      scheduledEventId: activity.scheduledEventId,
      attempt: activity.attempt,
      startedAt,
      activityId: activity.activityId,
    }),
    workflowNamespace: server.namespace.name,
    workflowType: { name: execution.type },
    workflowExecution: { workflowId: execution.workflowId, runId: execution.runId },
    activityType: scheduled.activityType ?? null,
    activityId: activity.activityId,
    header: scheduled.header ?? null,
    input: scheduled.input ?? null,
    heartbeatDetails: activity.heartbeatDetails ?? null,
    scheduledTime: toTimestamp(activity.firstScheduledAt),
    currentAttemptScheduledTime: toTimestamp(activity.scheduledAt),
    startedTime: toTimestamp(startedAt),
    attempt: activity.attempt,
    scheduleToCloseTimeout: toDuration(activity.scheduleToCloseMs),
    startToCloseTimeout: toDuration(activity.startToCloseMs),
    heartbeatTimeout: toDuration(activity.heartbeatMs),
    retryPolicy: activity.retryPolicy,
    priority: mergePriority(execution.priority, activity.priority) ?? null,
  };
}
