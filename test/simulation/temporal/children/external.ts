import type { HistoryEvent, WorkflowExecutionId } from '../base/proto.js';
import {
  CancelExternalWorkflowExecutionFailedCause,
  EventType,
  SignalExternalWorkflowExecutionFailedCause,
} from '../base/proto.js';
import { GrpcError } from '../base/grpc-error.js';
import { toLong, toNumber } from '../base/values.js';
import { record, type NewEvent } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import { findExecution } from '../executions/find.js';
import { requestCancel, signalExecution } from '../executions/signal.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { soon } from './start-child.js';

/** The run that a command names. A command may be meant for children only. */
function targetOf(
  server: Server,
  from: Execution,
  named: { execution: WorkflowExecutionId | null | undefined; isChildOnly: boolean },
): Execution | undefined {
  try {
    const target = findExecution(server, named.execution);
    // A run does not reach itself this way.
    if (target.workflowId === from.workflowId) return undefined;
    if (named.isChildOnly && target.parent?.workflowId !== from.workflowId) return undefined;
    return target;
  } catch (error) {
    if (error instanceof GrpcError) return undefined;
    throw error;
  }
}

function tell(server: Server, execution: Execution, event: NewEvent): void {
  if (!isRunning(execution)) return;
  record(server, execution, event);
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
}

/** Sends the signal of an initiated event, and tells the run what came of it. */
export function signalExternalSoon(
  server: Server,
  execution: Execution,
  initiated: HistoryEvent,
): void {
  const attributes = initiated.signalExternalWorkflowExecutionInitiatedEventAttributes;
  const initiatedEventId = toNumber(initiated.eventId);
  const requestId = drawId(server.draw);
  execution.externalSignals.set(initiatedEventId, requestId);
  soon(server, () => {
    if (!attributes || !execution.externalSignals.delete(initiatedEventId)) return;
    // A run that has closed meanwhile sends nothing any more.
    if (!isRunning(execution)) return;
    const named = {
      execution: attributes.workflowExecution,
      isChildOnly: attributes.childWorkflowOnly === true,
    };
    const target = targetOf(server, execution, named);
    const about = {
      initiatedEventId: toLong(initiatedEventId),
      namespace: server.namespace.name,
      namespaceId: server.namespace.id,
      workflowExecution: attributes.workflowExecution ?? null,
      control: attributes.control ?? '',
    };
    if (target === undefined || !isRunning(target)) {
      const cause =
        SignalExternalWorkflowExecutionFailedCause.SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND;
      tell(server, execution, {
        eventType: EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED,
        signalExternalWorkflowExecutionFailedEventAttributes: { ...about, cause },
      });
      return;
    }
    signalExecution(server, target, {
      name: attributes.signalName ?? '',
      input: attributes.input ?? null,
      header: attributes.header ?? null,
      identity: 'history-service',
      requestId,
      from: { workflowId: execution.workflowId, runId: execution.runId },
    });
    tell(server, execution, {
      eventType: EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_SIGNALED,
      externalWorkflowExecutionSignaledEventAttributes: about,
    });
  });
}

/** Asks the run of an initiated event to cancel, and tells the one that asked what came of it. */
export function cancelExternalSoon(
  server: Server,
  execution: Execution,
  initiated: HistoryEvent,
): void {
  const attributes = initiated.requestCancelExternalWorkflowExecutionInitiatedEventAttributes;
  const initiatedEventId = toNumber(initiated.eventId);
  execution.externalCancels.add(initiatedEventId);
  soon(server, () => {
    if (!attributes || !execution.externalCancels.delete(initiatedEventId)) return;
    if (!isRunning(execution)) return;
    const named = {
      execution: attributes.workflowExecution,
      isChildOnly: attributes.childWorkflowOnly === true,
    };
    const target = targetOf(server, execution, named);
    const about = {
      initiatedEventId: toLong(initiatedEventId),
      namespace: server.namespace.name,
      namespaceId: server.namespace.id,
      workflowExecution: attributes.workflowExecution ?? null,
    };
    if (target === undefined) {
      const cause =
        CancelExternalWorkflowExecutionFailedCause.CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND;
      tell(server, execution, {
        eventType: EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED,
        requestCancelExternalWorkflowExecutionFailedEventAttributes: { ...about, cause },
      });
      return;
    }
    // A run that is closed needs no cancelling: that counts as done.
    if (isRunning(target)) {
      const { workflowId, runId } = execution;
      requestCancel(server, target, {
        reason: attributes.reason ?? '',
        identity: 'history-service',
        from: { execution: { workflowId, runId }, initiatedEventId },
      });
    }
    tell(server, execution, {
      eventType: EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
      externalWorkflowExecutionCancelRequestedEventAttributes: about,
    });
  });
}
