import Long from 'long';

import type { EventTypeValue, HistoryEvent } from '../base/proto.js';
import { EventType } from '../base/proto.js';
import { sizeOf, toLong, toNumber, toTimestamp } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** What an event says, without what the history adds. */
export type NewEvent = Omit<HistoryEvent, 'eventId'>;

/**
 * Events that stand where they are added. All others wait for the end of a started workflow task:
 * what a worker has been shown must be followed by what it answers.
 */
const UNBUFFERED: ReadonlySet<EventTypeValue> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
  EventType.EVENT_TYPE_TIMER_STARTED,
  EventType.EVENT_TYPE_TIMER_CANCELED,
  EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_MARKER_RECORDED,
  EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
]);

/** Of the buffered events, those that the server writes last. */
const WRITTEN_LAST: ReadonlySet<EventTypeValue> = new Set([
  EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED,
  EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED,
  EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT,
  EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED,
]);

const NO_EVENT = Long.ZERO;

export function nextEventId(execution: Execution): number {
  return execution.history.length + 1;
}

/** Adds an event. Its id is final only where it is not one of those that are buffered. */
export function record(server: Server, execution: Execution, fields: NewEvent): HistoryEvent {
  const event: HistoryEvent = {
    eventId: NO_EVENT,
    eventTime: toTimestamp(server.clock.now()),
    ...fields,
  };
  if (UNBUFFERED.has(fields.eventType ?? EventType.EVENT_TYPE_UNSPECIFIED)) {
    append(execution, event);
  } else execution.buffered.push(event);
  return event;
}

function append(execution: Execution, event: HistoryEvent): void {
  event.eventId = toLong(nextEventId(execution));
  event.taskId = toLong(1_048_576 + nextEventId(execution));
  execution.history.push(event);
  execution.historySizeBytes += sizeOf(event);
}

/** Whether a worker has a workflow task of this run. */
export function isWorkflowTaskStarted({ workflowTask }: Execution): boolean {
  return workflowTask?.startedEventId !== undefined;
}

/** Writes what was buffered, in the server's order, and fills in the ids that were not known yet. */
export function flushBuffered(execution: Execution): void {
  const { buffered } = execution;
  if (buffered.length === 0) return;
  execution.buffered = [];
  const isLast = ({ eventType }: HistoryEvent): boolean =>
    WRITTEN_LAST.has(eventType ?? EventType.EVENT_TYPE_UNSPECIFIED);
  for (const event of buffered) if (!isLast(event)) append(execution, event);
  const started = startedEvents(buffered);
  for (const event of buffered) {
    if (!isLast(event)) continue;
    fillStartedEventId(event, started);
    append(execution, event);
  }
}

/** Id of the started event, by that of the event that scheduled or initiated it. */
function startedEvents(events: readonly HistoryEvent[]): Map<number, Long> {
  const started = new Map<number, Long>();
  for (const event of events) {
    const attributes =
      event.activityTaskStartedEventAttributes ??
      event.childWorkflowExecutionStartedEventAttributes;
    const from = scheduledBy(attributes);
    if (from !== undefined) started.set(from, event.eventId ?? NO_EVENT);
  }
  return started;
}

interface Reference {
  scheduledEventId?: Long | null;
  initiatedEventId?: Long | null;
  startedEventId?: Long | null;
}

function scheduledBy(attributes: Reference | null | undefined): number | undefined {
  const id = attributes?.scheduledEventId ?? attributes?.initiatedEventId;
  return id === null || id === undefined ? undefined : toNumber(id);
}

function fillStartedEventId(event: HistoryEvent, started: ReadonlyMap<number, Long>): void {
  const attributes = activityEnd(event) ?? childEnd(event);
  if (attributes === null || attributes === undefined) return;
  const id = started.get(scheduledBy(attributes) ?? 0);
  if (id !== undefined) attributes.startedEventId = id;
}

function activityEnd(event: HistoryEvent): Reference | null | undefined {
  return (
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskCanceledEventAttributes ??
    event.activityTaskTimedOutEventAttributes
  );
}

function childEnd(event: HistoryEvent): Reference | null | undefined {
  return (
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes
  );
}
