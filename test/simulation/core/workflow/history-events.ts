import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { toNumber, type HistoryEvent } from '../messages.js';

const { EventType } = proto.temporal.api.enums.v1;

/** Events that mirror a command of a workflow. */
const COMMAND_EVENTS: ReadonlySet<number> = new Set([
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
  EventType.EVENT_TYPE_MARKER_RECORDED,
  EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_TIMER_CANCELED,
  EventType.EVENT_TYPE_TIMER_STARTED,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
  EventType.EVENT_TYPE_NEXUS_OPERATION_SCHEDULED,
  EventType.EVENT_TYPE_NEXUS_OPERATION_CANCEL_REQUESTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_REJECTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
]);

const FINAL_EVENTS: ReadonlySet<number> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
]);

const IGNORABLE_EVENTS: ReadonlySet<number> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_PAUSED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UNPAUSED,
]);

export function isCommandEvent(event: HistoryEvent): boolean {
  return COMMAND_EVENTS.has(event.eventType ?? 0);
}

export function isFinalEvent(event: HistoryEvent): boolean {
  return FINAL_EVENTS.has(event.eventType ?? 0);
}

/** Newer kinds of events say themselves that a worker need not know them. */
export function isIgnorable(event: HistoryEvent): boolean {
  if (event.workerMayIgnore !== true) return false;
  const type = event.eventType ?? 0;
  return IGNORABLE_EVENTS.has(type) || EventType[type] === undefined;
}

type EventId = HistoryEvent['eventId'];

/** The event with which the thing began that this event is of; undefined where it is of none. */
export function initialEventId(event: HistoryEvent): number | undefined {
  const id =
    ofTask(event) ?? ofActivity(event) ?? ofTimer(event) ?? ofChild(event) ?? ofExternal(event);
  return id === undefined || id === null ? undefined : toNumber(id);
}

function ofTask(event: HistoryEvent): EventId {
  return (
    event.workflowTaskStartedEventAttributes ??
    event.workflowTaskCompletedEventAttributes ??
    event.workflowTaskTimedOutEventAttributes ??
    event.workflowTaskFailedEventAttributes
  )?.scheduledEventId;
}

function ofActivity(event: HistoryEvent): EventId {
  return (
    event.activityTaskStartedEventAttributes ??
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  )?.scheduledEventId;
}

function ofTimer(event: HistoryEvent): EventId {
  return (event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes)?.startedEventId;
}

function ofChild(event: HistoryEvent): EventId {
  return (
    event.startChildWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionStartedEventAttributes ??
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes
  )?.initiatedEventId;
}

function ofExternal(event: HistoryEvent): EventId {
  return (
    event.requestCancelExternalWorkflowExecutionFailedEventAttributes ??
    event.externalWorkflowExecutionCancelRequestedEventAttributes ??
    event.signalExternalWorkflowExecutionFailedEventAttributes ??
    event.externalWorkflowExecutionSignaledEventAttributes
  )?.initiatedEventId;
}

export function idOf(event: HistoryEvent): number {
  return toNumber(event.eventId);
}

export type CompletedAttributes = temporal.api.history.v1.IWorkflowTaskCompletedEventAttributes;
