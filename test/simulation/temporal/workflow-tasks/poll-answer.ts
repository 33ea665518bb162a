import type { HistoryEvent } from '../base/proto.js';
import { TaskQueueKind } from '../base/proto.js';
import { writeToken } from '../base/token.js';
import { toLong, toTimestamp } from '../base/values.js';
import { nextEventId } from '../history/record.js';
import type { Execution, WorkflowTask } from '../model/execution.js';
import { sendUpdates } from '../updates/registry.js';
import { scheduledEvent, startedEvent } from './schedule.js';

/**
 * What a worker gets with a started workflow task: a whole history, or what is new to the worker
 * that has the run cached. A heartbeat brings only updates that are new.
 */
export function workflowTaskAnswer(
  execution: Execution,
  task: WorkflowTask,
  { isSticky, isHeartbeat }: { isSticky: boolean; isHeartbeat: boolean },
) {
  const startedEventId = task.startedEventId ?? 0;
  return {
    taskToken: writeToken({
      workflowId: execution.workflowId,
      runId: execution.runId,
      scheduledEventId: task.scheduledEventId,
      startedEventId,
      attempt: task.attempt,
      startedAt: task.startedAt,
    }),
    workflowExecution: { workflowId: execution.workflowId, runId: execution.runId },
    workflowType: { name: execution.type },
    previousStartedEventId: toLong(execution.previousStartedEventId),
    startedEventId: toLong(startedEventId),
    attempt: task.attempt,
    history: { events: eventsFor(execution, task, isSticky) },
    workflowExecutionTaskQueue: {
      name: execution.taskQueue,
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
    scheduledTime: toTimestamp(task.scheduledAt),
    startedTime: toTimestamp(task.startedAt),
    queries: Object.fromEntries([...execution.queries].map(([id, { query }]) => [id, query])),
    messages: sendUpdates(execution, startedEventId, !isHeartbeat),
  };
}

function eventsFor(execution: Execution, task: WorkflowTask, isSticky: boolean): HistoryEvent[] {
  const events = execution.history.slice(isSticky ? execution.previousStartedEventId : 0);
  if (task.scheduledEventId >= nextEventId(execution)) {
    // Transient and speculative tasks are not in the history: the worker sees them nevertheless.
    events.push(
      { eventId: toLong(task.scheduledEventId), ...scheduledEvent(execution, task) },
      { eventId: toLong(task.startedEventId ?? 0), ...startedEvent(task) },
    );
  }
  return events;
}
