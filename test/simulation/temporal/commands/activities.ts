import { EventType, TaskQueueKind } from '../base/proto.js';
import type { Command, HistoryEvent } from '../base/proto.js';
import { toDuration, toLong, toMs, toNumber, toPayloads } from '../base/values.js';
import { recordActivityCanceled } from '../activities/finish.js';
import {
  activityOf,
  dispatchActivity,
  fullRetryPolicy,
  keepActivity,
} from '../activities/schedule.js';
import { record } from '../history/record.js';
import type { CommandContext } from './context.js';

type ScheduleAttributes = NonNullable<Command['scheduleActivityTaskCommandAttributes']>;

export function scheduleActivityTask(
  { server, execution, completedEventId }: CommandContext,
  { scheduleActivityTaskCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!attributes) return undefined;
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
    activityTaskScheduledEventAttributes: {
      activityId: attributes.activityId ?? '',
      activityType: attributes.activityType ?? null,
      taskQueue: {
        name: attributes.taskQueue?.name || execution.taskQueue,
        kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
      },
      header: attributes.header ?? null,
      input: attributes.input ?? null,
      ...timeoutsOf(attributes, toMs(execution.started.workflowRunTimeout)),
      workflowTaskCompletedEventId: toLong(completedEventId),
      retryPolicy: fullRetryPolicy(attributes.retryPolicy),
      priority: attributes.priority ?? null,
      useWorkflowBuildId: attributes.useWorkflowBuildId ?? false,
    },
  });
  const activity = activityOf(execution, event);
  if (activity !== undefined) {
    keepActivity(execution, activity);
    dispatchActivity(server, execution, activity);
  }
  return event;
}

/** The time limits with what the server derives: none is longer than the one it is part of. */
function timeoutsOf(attributes: ScheduleAttributes, runMs: number) {
  const close = toMs(attributes.scheduleToCloseTimeout);
  const start = toMs(attributes.scheduleToStartTimeout);
  const run = toMs(attributes.startToCloseTimeout);
  const within = (limit: number, most: number): number =>
    limit > 0 ? Math.min(limit, most) : most;
  const capped = (limit: number): number => (runMs > 0 ? within(limit, runMs) : limit);
  const all = capped(close);
  const startToClose = capped(close > 0 ? within(run, close) : run);
  const scheduleToStart = capped(close > 0 ? within(start, close) : start);
  return {
    scheduleToCloseTimeout: toDuration(all),
    scheduleToStartTimeout: toDuration(scheduleToStart),
    startToCloseTimeout: toDuration(startToClose),
    heartbeatTimeout: toDuration(Math.min(toMs(attributes.heartbeatTimeout), startToClose)),
  };
}

export function requestCancelActivityTask(
  context: CommandContext,
  { requestCancelActivityTaskCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const { server, execution, completedEventId, identity } = context;
  const scheduledEventId = toNumber(attributes?.scheduledEventId);
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
    activityTaskCancelRequestedEventAttributes: {
      scheduledEventId: toLong(scheduledEventId),
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
  const activity = execution.activities.get(scheduledEventId);
  if (activity === undefined) return event;
  activity.cancelRequestedEventId = toNumber(event.eventId);
  if (activity.startedAt === undefined) {
    const details = toPayloads('ACTIVITY_ID_NOT_STARTED');
    recordActivityCanceled(server, execution, { activity, identity, details });
    context.needsWorkflowTask = true;
  }
  return event;
}
