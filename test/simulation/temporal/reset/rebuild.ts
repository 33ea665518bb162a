import { EventType } from '../base/proto.js';
import type { HistoryEvent } from '../base/proto.js';
import { sizeOf, toMs, toNumber, toTime } from '../base/values.js';
import { activityOf, dropActivity, keepActivity } from '../activities/schedule.js';
import { childOf } from '../commands/others.js';
import { mergeMemo } from '../commands/properties.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { complete, newUpdate } from '../updates/registry.js';
import { noteBuild } from '../workflow-tasks/build-ids.js';
import { mergeAttributes } from '../visibility/search-attributes.js';

/** Appends events of another run, and brings the state to where they lead. */
export function rebuild(
  server: Server,
  execution: Execution,
  events: readonly HistoryEvent[],
): void {
  for (const event of events) {
    execution.history.push(event);
    execution.historySizeBytes += sizeOf(event);
    applyEvent(server, execution, event);
  }
}

export function applyEvent(server: Server, execution: Execution, event: HistoryEvent): void {
  APPLY.get(event.eventType ?? EventType.EVENT_TYPE_UNSPECIFIED)?.(execution, event, server);
}

type Apply = (execution: Execution, event: HistoryEvent, server: Server) => void;

const idOf = ({ eventId }: HistoryEvent): number => toNumber(eventId);

const scheduleTask: Apply = (execution, event) => {
  const scheduledAt = toTime(event.eventTime) ?? 0;
  const { startToCloseTimeout, attempt } = event.workflowTaskScheduledEventAttributes ?? {};
  execution.workflowTask = {
    kind: 'normal',
    scheduledEventId: idOf(event),
    startedEventId: undefined,
    attempt: attempt ?? 1,
    requestId: '',
    identity: '',
    timeoutMs: toMs(startToCloseTimeout),
    scheduledAt,
    startedAt: 0,
    originalScheduledAt: scheduledAt,
    suggestContinueAsNew: false,
    historySizeBytes: 0,
    cancelTimeout: undefined,
  };
};

const startTask: Apply = ({ workflowTask }, event) => {
  if (workflowTask === undefined) return;
  workflowTask.startedEventId = idOf(event);
  workflowTask.startedAt = toTime(event.eventTime) ?? 0;
};

const dropTask: Apply = (execution) => {
  execution.workflowTask = undefined;
};

const completeTask: Apply = (execution, event) => {
  const { startedEventId, workerVersion } = event.workflowTaskCompletedEventAttributes ?? {};
  execution.workflowTask = undefined;
  execution.previousStartedEventId = toNumber(startedEventId);
  execution.autoResetPoint ??= {
    eventId: idOf(event),
    createdAt: toTime(event.eventTime) ?? 0,
    buildId: workerVersion?.buildId ?? '',
  };
  noteBuild(execution, workerVersion);
};

const scheduleActivity: Apply = (execution, event) => {
  const activity = activityOf(execution, event);
  if (activity !== undefined) keepActivity(execution, activity);
};

const startActivity: Apply = (execution, event) => {
  const started = event.activityTaskStartedEventAttributes;
  const activity = execution.activities.get(toNumber(started?.scheduledEventId));
  if (activity === undefined) return;
  activity.startedAt = toTime(event.eventTime);
  activity.identity = started?.identity ?? '';
};

const endActivity: Apply = (execution, event) => {
  const ended =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  const activity = execution.activities.get(toNumber(ended?.scheduledEventId));
  if (activity !== undefined) dropActivity(execution, activity);
};

const requestCancelOfActivity: Apply = (execution, event) => {
  const requested = event.activityTaskCancelRequestedEventAttributes;
  const activity = execution.activities.get(toNumber(requested?.scheduledEventId));
  if (activity !== undefined) activity.cancelRequestedEventId = idOf(event);
};

const startTimer: Apply = (execution, event) => {
  const { timerId, startToFireTimeout } = event.timerStartedEventAttributes ?? {};
  execution.timers.set(timerId ?? '', {
    timerId: timerId ?? '',
    startedEventId: idOf(event),
    firesAt: (toTime(event.eventTime) ?? 0) + toMs(startToFireTimeout),
  });
};

const endTimer: Apply = (execution, event) => {
  const ended = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
  execution.timers.delete(ended?.timerId ?? '');
};

const initiateChild: Apply = (execution, event) => {
  const child = childOf(event);
  if (child !== undefined) execution.children.set(child.initiatedEventId, child);
};

const startChild: Apply = (execution, event) => {
  const started = event.childWorkflowExecutionStartedEventAttributes;
  const child = execution.children.get(toNumber(started?.initiatedEventId));
  if (child === undefined) return;
  child.runId = started?.workflowExecution?.runId ?? undefined;
  child.startedEvent = event;
};

const endChild: Apply = (execution, event) => {
  const ended =
    event.startChildWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes;
  execution.children.delete(toNumber(ended?.initiatedEventId));
};

const endExternal: Apply = (execution, event) => {
  const ended =
    event.externalWorkflowExecutionSignaledEventAttributes ??
    event.signalExternalWorkflowExecutionFailedEventAttributes ??
    event.externalWorkflowExecutionCancelRequestedEventAttributes ??
    event.requestCancelExternalWorkflowExecutionFailedEventAttributes;
  const initiatedEventId = toNumber(ended?.initiatedEventId);
  execution.externalSignals.delete(initiatedEventId);
  execution.externalCancels.delete(initiatedEventId);
};

const admitUpdate: Apply = (execution, event, server) => {
  const id = event.workflowExecutionUpdateAdmittedEventAttributes?.request?.meta?.updateId ?? '';
  execution.updates.set(id, newUpdate(server, id, undefined));
};

const acceptUpdate: Apply = (execution, event, server) => {
  const id = event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId ?? '';
  const update = newUpdate(server, id, undefined);
  update.state = 'accepted';
  update.acceptedEventId = idOf(event);
  execution.updates.set(id, update);
};

const completeUpdate: Apply = (execution, event) => {
  const completed = event.workflowExecutionUpdateCompletedEventAttributes;
  const update = execution.updates.get(completed?.meta?.updateId ?? '');
  if (update !== undefined) complete(update, completed?.outcome);
};

const APPLY: ReadonlyMap<number, Apply> = new Map<number, Apply>([
  [EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, scheduleTask],
  [EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED, startTask],
  [EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, completeTask],
  [EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED, dropTask],
  [EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT, dropTask],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED, scheduleActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED, startActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED, endActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED, endActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT, endActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED, endActivity],
  [EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED, requestCancelOfActivity],
  [EventType.EVENT_TYPE_TIMER_STARTED, startTimer],
  [EventType.EVENT_TYPE_TIMER_FIRED, endTimer],
  [EventType.EVENT_TYPE_TIMER_CANCELED, endTimer],
  [EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED, initiateChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED, startChild],
  [EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_FAILED, endChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED, endChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED, endChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED, endChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT, endChild],
  [EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED, endChild],
  [
    EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
    ({ externalSignals }, event) => externalSignals.set(idOf(event), ''),
  ],
  [
    EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
    ({ externalCancels }, event) => externalCancels.add(idOf(event)),
  ],
  [EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_SIGNALED, endExternal],
  [EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED, endExternal],
  [EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_CANCEL_REQUESTED, endExternal],
  [EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED, endExternal],
  [
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
    (execution) => {
      execution.isCancelRequested = true;
    },
  ],
  [
    EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
    (execution, { upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
      const changes = upserted?.searchAttributes?.indexedFields;
      execution.searchAttributes = mergeAttributes(execution.searchAttributes, changes);
    },
  ],
  [
    EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
    (execution, { workflowPropertiesModifiedEventAttributes: modified }) => {
      execution.memo = mergeMemo(execution.memo, modified?.upsertedMemo?.fields ?? {});
    },
  ],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ADMITTED, admitUpdate],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED, acceptUpdate],
  [EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED, completeUpdate],
]);
