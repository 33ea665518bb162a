import {
  ContinueAsNewInitiator,
  EventType,
  RetryState,
  TaskQueueKind,
  WorkflowExecutionStatus,
} from '../base/proto.js';
import type { Command, Duration, HistoryEvent } from '../base/proto.js';
import { toDuration, toLong, toMs } from '../base/values.js';
import { pick } from '../base/pick.js';
import { closeExecution } from '../executions/close.js';
import { continueExecution } from '../executions/continue.js';
import { workflowRetry } from '../executions/retry.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import type { CommandContext } from './context.js';

const lastOf = ({ history }: Execution): HistoryEvent | undefined => history.at(-1);

export function completeWorkflow(
  { server, execution, completedEventId }: CommandContext,
  { completeWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!isRunning(execution)) return undefined;
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
      workflowExecutionCompletedEventAttributes: {
        result: attributes?.result ?? null,
        workflowTaskCompletedEventId: toLong(completedEventId),
      },
    },
  });
  return lastOf(execution);
}

export function cancelWorkflow(
  { server, execution, completedEventId }: CommandContext,
  { cancelWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!isRunning(execution)) return undefined;
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
      workflowExecutionCanceledEventAttributes: {
        details: attributes?.details ?? null,
        workflowTaskCompletedEventId: toLong(completedEventId),
      },
    },
  });
  return lastOf(execution);
}

export function failWorkflow(
  { server, execution, completedEventId }: CommandContext,
  { failWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!isRunning(execution)) return undefined;
  const failure = attributes?.failure ?? {};
  const retry = workflowRetry(server, execution, failure);
  const retries = retry.state === RetryState.RETRY_STATE_IN_PROGRESS;
  const newRunId = retries ? drawId(server.draw) : '';
  if (retries) execution.newRunId = newRunId;
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
      workflowExecutionFailedEventAttributes: {
        failure,
        retryState: retry.state,
        workflowTaskCompletedEventId: toLong(completedEventId),
        newExecutionRunId: newRunId,
      },
    },
  });
  const event = lastOf(execution);
  if (retries) {
    continueExecution(server, execution, {
      newRunId,
      initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_RETRY,
      backoffMs: retry.waitMs,
      attributes: {},
      attempt: (execution.started.attempt ?? 1) + 1,
      failure,
      lastCompletionResult: execution.started.lastCompletionResult ?? null,
    });
  }
  return event;
}

export function continueAsNew(
  { server, execution, completedEventId }: CommandContext,
  { continueAsNewWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!isRunning(execution) || !attributes) return undefined;
  const newRunId = drawId(server.draw);
  const next = continuedAttributes(execution, attributes);
  const backoffMs = toMs(attributes.backoffStartInterval);
  const initiator =
    attributes.initiator || ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_WORKFLOW;
  execution.newRunId = newRunId;
  closeExecution(server, execution, {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW,
    event: {
      eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
      workflowExecutionContinuedAsNewEventAttributes: {
        newExecutionRunId: newRunId,
        ...next,
        workflowTaskCompletedEventId: toLong(completedEventId),
        backoffStartInterval: attributes.backoffStartInterval ?? null,
        initiator: attributes.initiator ?? null,
        failure: attributes.failure ?? null,
        lastCompletionResult: attributes.lastCompletionResult ?? null,
      },
    },
  });
  const event = lastOf(execution);
  continueExecution(server, execution, {
    newRunId,
    initiator,
    backoffMs,
    attributes: { ...next, retryPolicy: attributes.retryPolicy ?? null },
    attempt: 1,
    failure: attributes.failure ?? null,
    lastCompletionResult: attributes.lastCompletionResult ?? null,
  });
  return event;
}

type ContinueAttributes = NonNullable<Command['continueAsNewWorkflowExecutionCommandAttributes']>;

/** What the command says, or what the run had where it says nothing. */
function continuedAttributes(execution: Execution, attributes: ContinueAttributes) {
  const { started } = execution;
  return {
    workflowType: (attributes.workflowType?.name ? attributes : started).workflowType ?? null,
    taskQueue: {
      name: attributes.taskQueue?.name || execution.taskQueue,
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
    workflowRunTimeout: chosen(attributes.workflowRunTimeout, started.workflowRunTimeout),
    workflowTaskTimeout: chosen(attributes.workflowTaskTimeout, started.workflowTaskTimeout),
    ...pick(attributes, ['input', 'header', 'memo', 'searchAttributes', 'inheritBuildId']),
  };
}

function chosen(own: Duration | null | undefined, before: Duration | null | undefined): Duration {
  return toDuration(toMs(own) || toMs(before));
}
