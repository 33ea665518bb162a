import {
  EventType,
  ParentClosePolicy,
  TaskQueueKind,
  WorkflowIdReusePolicy,
} from '../base/proto.js';
import type { Command, HistoryEvent } from '../base/proto.js';
import { toDuration, toLong, toMs, toNumber } from '../base/values.js';
import { pick } from '../base/pick.js';
import { fullRetryPolicy } from '../activities/schedule.js';
import { cancelExternalSoon, signalExternalSoon } from '../children/external.js';
import { startChildSoon } from '../children/start-child.js';
import { record } from '../history/record.js';
import type { Child, Execution } from '../model/execution.js';
import type { CommandContext } from './context.js';

export function signalExternal(
  { server, execution, completedEventId }: CommandContext,
  { signalExternalWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
    signalExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: toLong(completedEventId),
      namespaceId: server.namespace.id,
      workflowExecution: attributes?.execution ?? null,
      ...pick(attributes, [
        'namespace',
        'signalName',
        'input',
        'control',
        'childWorkflowOnly',
        'header',
      ]),
    },
  });
  signalExternalSoon(server, execution, event);
  return event;
}

export function requestCancelExternal(
  { server, execution, completedEventId }: CommandContext,
  { requestCancelExternalWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
    requestCancelExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: toLong(completedEventId),
      namespaceId: server.namespace.id,
      workflowExecution: pick(attributes, ['workflowId', 'runId']),
      ...pick(attributes, ['namespace', 'control', 'childWorkflowOnly', 'reason']),
    },
  });
  cancelExternalSoon(server, execution, event);
  return event;
}

type ChildAttributes = NonNullable<Command['startChildWorkflowExecutionCommandAttributes']>;

export function startChildWorkflow(
  { server, execution, completedEventId }: CommandContext,
  { startChildWorkflowExecutionCommandAttributes: attributes }: Command,
): HistoryEvent | undefined {
  if (!attributes) return undefined;
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED,
    startChildWorkflowExecutionInitiatedEventAttributes: {
      namespace: server.namespace.name,
      namespaceId: server.namespace.id,
      ...initiatedAttributes(execution, attributes),
      workflowTaskCompletedEventId: toLong(completedEventId),
    },
  });
  const child = childOf(event);
  if (child !== undefined) {
    execution.children.set(child.initiatedEventId, child);
    startChildSoon(server, execution, child);
  }
  return event;
}

export function childOf(event: HistoryEvent): Child | undefined {
  const initiated = event.startChildWorkflowExecutionInitiatedEventAttributes;
  if (!initiated) return undefined;
  return {
    initiatedEventId: toNumber(event.eventId),
    workflowId: initiated.workflowId ?? '',
    initiated,
    runId: undefined,
    startedEvent: undefined,
  };
}

/** No run takes longer than its chain. */
function runTimeout(attributes: ChildAttributes): number {
  const run = toMs(attributes.workflowRunTimeout);
  const chain = toMs(attributes.workflowExecutionTimeout);
  if (run === 0) return chain;
  return chain > 0 ? Math.min(run, chain) : run;
}

/** No workflow task takes longer than the run. */
function taskTimeout(execution: Execution, attributes: ChildAttributes): number {
  const task = toMs(attributes.workflowTaskTimeout) || execution.workflowTaskTimeoutMs;
  const run = runTimeout(attributes);
  return run > 0 ? Math.min(task, run) : task;
}

function initiatedAttributes(execution: Execution, attributes: ChildAttributes) {
  return {
    ...pick(attributes, [
      'workflowId',
      'workflowType',
      'input',
      'workflowExecutionTimeout',
      'control',
      'cronSchedule',
      'header',
      'memo',
      'searchAttributes',
      'priority',
      'inheritBuildId',
    ]),
    taskQueue: {
      name: attributes.taskQueue?.name || execution.taskQueue,
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
    retryPolicy: attributes.retryPolicy ? fullRetryPolicy(attributes.retryPolicy) : null,
    workflowRunTimeout: toDuration(runTimeout(attributes)),
    workflowTaskTimeout: toDuration(taskTimeout(execution, attributes)),
    parentClosePolicy:
      attributes.parentClosePolicy || ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE,
    workflowIdReusePolicy:
      attributes.workflowIdReusePolicy ||
      WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
  };
}
