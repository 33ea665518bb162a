import { EventType, TaskQueueKind, TimeoutType, WorkflowExecutionStatus } from '../base/proto.js';
import type { TaskQueueProto } from '../base/proto.js';
import { toDuration, toLong, toTimestamp } from '../base/values.js';
import { flushBuffered, isWorkflowTaskStarted, nextEventId, record } from '../history/record.js';
import type { Execution, WorkflowTask, WorkflowTaskKind } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** From this attempt on the time for a workflow task grows. */
const BACKOFF_FROM_ATTEMPT = 3;
const BACKOFF_INITIAL_MS = 5_000;
const BACKOFF_MAXIMUM_MS = 600_000;
/** The share of a wait that is not left to chance. */
const JITTER_FROM = 0.8;

export function isRunning({ status }: Execution): boolean {
  return status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
}

export function isTransient({ workflowTaskAttempt }: Execution): boolean {
  return workflowTaskAttempt > 1;
}

/** Where the next workflow task goes: the queue of the worker that has the run cached, or the common one. */
function currentQueue(execution: Execution): TaskQueueProto {
  if (execution.sticky !== undefined) {
    return {
      name: execution.sticky.name,
      kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY,
      normalName: execution.taskQueue,
    };
  }
  return { name: execution.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL };
}

/** Time for an attempt. A task that keeps failing is repeated more and more slowly, because it gets longer. */
function timeoutOf({ draw }: Server, execution: Execution): number {
  const attempt = execution.workflowTaskAttempt;
  if (attempt <= BACKOFF_FROM_ATTEMPT) return execution.workflowTaskTimeoutMs;
  const backoff = BACKOFF_INITIAL_MS * 2 ** (attempt - BACKOFF_FROM_ATTEMPT - 1);
  const most = Math.min(backoff, BACKOFF_MAXIMUM_MS);
  return execution.workflowTaskTimeoutMs + draw.number(Math.floor(most * JITTER_FROM), most);
}

export interface ScheduleOptions {
  kind?: WorkflowTaskKind;
  /** Of a chain of heartbeats. */
  originalScheduledAt?: number;
}

/** Schedules a workflow task where none is pending. Its task for a worker is dispatched by the caller. */
export function addWorkflowTask(
  server: Server,
  execution: Execution,
  options: ScheduleOptions = {},
): WorkflowTask {
  let { kind = 'normal' } = options;
  if (execution.buffered.length > 0) {
    // New events are news to the worker: this is no repetition of the last attempt.
    execution.workflowTaskAttempt = 1;
    kind = 'normal';
    flushBuffered(execution);
  }
  const now = server.clock.now();
  const task: WorkflowTask = {
    kind,
    scheduledEventId: nextEventId(execution),
    startedEventId: undefined,
    attempt: execution.workflowTaskAttempt,
    requestId: '',
    identity: '',
    timeoutMs: timeoutOf(server, execution),
    scheduledAt: now,
    startedAt: 0,
    originalScheduledAt: options.originalScheduledAt ?? now,
    suggestContinueAsNew: false,
    historySizeBytes: 0,
    cancelTimeout: undefined,
  };
  if (kind === 'normal' && !isTransient(execution)) recordScheduled(server, execution, task);
  execution.workflowTask = task;
  return task;
}

export function recordScheduled(server: Server, execution: Execution, task: WorkflowTask): void {
  task.scheduledEventId = nextEventId(execution);
  record(server, execution, scheduledEvent(execution, task));
}

export function scheduledEvent(execution: Execution, task: WorkflowTask) {
  return {
    eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
    eventTime: toTimestamp(task.scheduledAt),
    workflowTaskScheduledEventAttributes: {
      taskQueue: currentQueue(execution),
      startToCloseTimeout: toDuration(task.timeoutMs),
      attempt: task.attempt,
    },
  };
}

export function recordStarted(server: Server, execution: Execution, task: WorkflowTask): void {
  task.startedEventId = nextEventId(execution);
  record(server, execution, startedEvent(task));
}

export function startedEvent(task: WorkflowTask) {
  return {
    eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
    eventTime: toTimestamp(task.startedAt),
    workflowTaskStartedEventAttributes: {
      scheduledEventId: toLong(task.scheduledEventId),
      identity: task.identity,
      requestId: task.requestId,
      suggestContinueAsNew: task.suggestContinueAsNew,
      historySizeBytes: toLong(task.historySizeBytes),
    },
  };
}

/** Removes the pending workflow task. */
export function dropWorkflowTask(execution: Execution): void {
  execution.workflowTask?.cancelTimeout?.();
  if (isWorkflowTaskStarted(execution)) execution.isCloseAttempted = false;
  execution.workflowTask = undefined;
}

/** What a worker that failed, or never came, leaves: another attempt, on the common queue. */
export function failAttempt(execution: Execution, counts: boolean): void {
  dropWorkflowTask(execution);
  if (execution.sticky !== undefined) {
    // It may only be that the cache of the worker is gone: the first attempt with the whole history.
    execution.sticky = undefined;
    execution.workflowTaskAttempt = 1;
  } else if (counts) execution.workflowTaskAttempt += 1;
  else execution.workflowTaskAttempt = 1;
}

/** Writes the events of a speculative task, which has none yet. The server has not kept who took it. */
export function writeSpeculative(
  server: Server,
  execution: Execution,
  { task, identity = '' }: { task: WorkflowTask; identity?: string },
): void {
  if (task.kind !== 'speculative') return;
  task.identity = identity;
  recordScheduled(server, execution, task);
  if (task.startedEventId !== undefined) recordStarted(server, execution, task);
}

export function recordTimedOut(server: Server, execution: Execution, task: WorkflowTask): void {
  const hasStarted = task.startedEventId !== undefined;
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
    workflowTaskTimedOutEventAttributes: {
      scheduledEventId: toLong(task.scheduledEventId),
      startedEventId: toLong(task.startedEventId ?? 0),
      timeoutType: hasStarted
        ? TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE
        : TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START,
    },
  });
}
