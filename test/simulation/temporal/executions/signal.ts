import type { Header, Payloads, WorkflowExecutionId } from '../base/proto.js';
import { EventType } from '../base/proto.js';
import { toLong } from '../base/values.js';
import { record } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { isBackingOff } from './create.js';

export interface Signal {
  name: string;
  input: Payloads | null;
  header: Header | null;
  identity: string;
  requestId: string;
  /** The run that sent it, where one did. */
  from?: WorkflowExecutionId;
}

/** Adds a signal to the history. The same request is taken once. False where it was here before. */
export function recordSignal(server: Server, execution: Execution, signal: Signal): boolean {
  const { requestId } = signal;
  if (requestId !== '') {
    if (execution.signalRequestIds.has(requestId)) return false;
    execution.signalRequestIds.add(requestId);
  }
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
    workflowExecutionSignaledEventAttributes: {
      signalName: signal.name,
      input: signal.input,
      identity: signal.identity,
      header: signal.header,
      externalWorkflowExecution: signal.from ?? null,
      requestId,
    },
  });
  return true;
}

export function signalExecution(server: Server, execution: Execution, signal: Signal): void {
  if (!recordSignal(server, execution, signal)) return;
  if (!isBackingOff(server, execution)) scheduleWorkflowTask(server, execution);
  commit(server, execution);
}

export interface CancelRequest {
  reason: string;
  identity: string;
  /** The run that asks for it, where one does. */
  from?: { execution: WorkflowExecutionId; initiatedEventId: number };
}

/** Asks a run to cancel. It is asked once. */
export function requestCancel(server: Server, execution: Execution, request: CancelRequest): void {
  if (execution.isCancelRequested) return;
  execution.isCancelRequested = true;
  record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
    workflowExecutionCancelRequestedEventAttributes: {
      cause: request.reason,
      externalInitiatedEventId: toLong(request.from?.initiatedEventId ?? 0),
      externalWorkflowExecution: request.from?.execution ?? null,
      identity: request.identity,
    },
  });
  // A run that is to begin later begins now, only to be cancelled.
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
}
