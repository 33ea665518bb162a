import type { Payloads, RetryState, Status } from '../base/proto.js';
import { EventType, WorkflowExecutionStatus, WorkflowTaskFailedCause } from '../base/proto.js';
import { flushBuffered, record, type NewEvent } from '../history/record.js';
import { clearWakes } from '../history/wakes.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { abortUpdates } from '../updates/registry.js';
import { recordTaskFailed } from '../workflow-tasks/fail.js';
import { dropWorkflowTask, isRunning } from '../workflow-tasks/schedule.js';

type RetryStateValue = (typeof RetryState)[keyof typeof RetryState];

/** What the server itself signs with. */
export const HISTORY_SERVICE = 'history-service';

/** Ends a run with this event. The caller commits. */
export function closeExecution(
  server: Server,
  execution: Execution,
  { status, event }: { status: Status; event: NewEvent },
): void {
  record(server, execution, event);
  execution.status = status;
  execution.closedAt = server.clock.now();
  clearWakes(execution);
  abortUpdates(execution);
  server.hooks.closed(execution);
}

/** No workflow task will bring them any more: queries that still wait may go to a worker directly. */
export function unblockQueries(execution: Execution): void {
  for (const query of [...execution.queries.values()]) query.settle({ kind: 'unblocked' });
  execution.queries.clear();
}

/** What a worker may have begun is void. What came meanwhile stands before the end. */
function interrupt(server: Server, execution: Execution): void {
  const task = execution.workflowTask;
  if (task?.startedEventId !== undefined) {
    const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND;
    recordTaskFailed(server, execution, { task, cause, failure: null, identity: HISTORY_SERVICE });
  }
  dropWorkflowTask(execution);
  flushBuffered(execution);
  unblockQueries(execution);
}

export function terminateExecution(
  server: Server,
  execution: Execution,
  { reason, identity, details }: { reason: string; identity: string; details: Payloads | null },
): void {
  if (!isRunning(execution)) return;
  interrupt(server, execution);
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED,
      workflowExecutionTerminatedEventAttributes: { reason, details, identity },
    },
  });
}

export function timeOutExecution(
  server: Server,
  execution: Execution,
  { retryState, newRunId }: { retryState: RetryStateValue; newRunId: string },
): void {
  interrupt(server, execution);
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT,
      workflowExecutionTimedOutEventAttributes: { retryState, newExecutionRunId: newRunId },
    },
  });
}
