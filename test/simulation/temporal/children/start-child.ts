import type { HistoryEvent } from '../base/proto.js';
import { EventType, StartChildWorkflowExecutionFailedCause } from '../base/proto.js';
import { GrpcError, Code } from '../base/grpc-error.js';
import { pick } from '../base/pick.js';
import { toLong } from '../base/values.js';
import { record } from '../history/record.js';
import { commit } from '../workflow-tasks/commit.js';
import { scheduleFirstWorkflowTask } from '../executions/create.js';
import { startExecution, type StartRequest } from '../executions/start.js';
import { drawId } from '../model/ids.js';
import type { Child, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';

/** Between a command and what it does to another run. */
const TRANSFER = { least: 1, most: 20 };

export function soon(server: Server, act: () => void): void {
  server.clock.after(server.draw.number(TRANSFER.least, TRANSFER.most), act);
}

/** Starts the child a little later, and tells the parent what came of it. */
export function startChildSoon(server: Server, parent: Execution, child: Child): void {
  const requestId = drawId(server.draw);
  soon(server, () => {
    if (parent.children.get(child.initiatedEventId) !== child) return;
    // A parent that has closed meanwhile starts nothing any more, not even what is to outlive it.
    if (!isRunning(parent)) return;
    startChild(server, parent, { child, requestId });
  });
}

function startChild(
  server: Server,
  parent: Execution,
  { child, requestId }: { child: Child; requestId: string },
): void {
  try {
    const userMetadata = parent.history[child.initiatedEventId - 1]?.userMetadata ?? null;
    const request = { ...requestOf(child, requestId), userMetadata };
    const { outcome, execution } = startExecution(server, request, {
      parent: {
        workflowId: parent.workflowId,
        runId: parent.runId,
        initiatedEventId: child.initiatedEventId,
      },
      root: parent.root,
    });
    child.runId = execution.runId;
    recordChildStarted(server, parent, child);
    if (outcome === 'new') {
      soon(server, () => {
        scheduleFirstWorkflowTask(server, execution);
        commit(server, execution);
      });
    }
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error;
    parent.children.delete(child.initiatedEventId);
    if (error.code === Code.alreadyExists) {
      recordChildFailedToStart(server, parent, child);
    }
  }
}

function requestOf({ initiated }: Child, requestId: string): StartRequest {
  return {
    ...pick(initiated, [
      'workflowId',
      'workflowType',
      'taskQueue',
      'input',
      'workflowExecutionTimeout',
      'workflowRunTimeout',
      'workflowTaskTimeout',
      'workflowIdReusePolicy',
      'retryPolicy',
      'memo',
      'searchAttributes',
      'header',
      'priority',
    ]),
    requestId,
  };
}

function recordChildStarted(server: Server, parent: Execution, child: Child): void {
  const { initiated } = child;
  child.startedEvent = record(server, parent, {
    eventType: EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED,
    childWorkflowExecutionStartedEventAttributes: {
      namespace: server.namespace.name,
      namespaceId: server.namespace.id,
      initiatedEventId: toLong(child.initiatedEventId),
      workflowExecution: { workflowId: child.workflowId, runId: child.runId ?? '' },
      workflowType: initiated.workflowType ?? null,
      header: initiated.header ?? null,
    },
  });
  scheduleWorkflowTask(server, parent);
  commit(server, parent);
}

function recordChildFailedToStart(server: Server, parent: Execution, child: Child): HistoryEvent {
  const { initiated } = child;
  const event = record(server, parent, {
    eventType: EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_FAILED,
    startChildWorkflowExecutionFailedEventAttributes: {
      namespace: server.namespace.name,
      namespaceId: server.namespace.id,
      workflowId: child.workflowId,
      workflowType: initiated.workflowType ?? null,
      cause:
        StartChildWorkflowExecutionFailedCause.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS,
      control: initiated.control ?? '',
      initiatedEventId: toLong(child.initiatedEventId),
    },
  });
  scheduleWorkflowTask(server, parent);
  commit(server, parent);
  return event;
}
