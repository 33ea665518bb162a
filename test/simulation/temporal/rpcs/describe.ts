import type { temporal } from '@temporalio/proto';

import { PendingWorkflowTaskState, TaskQueueKind } from '../base/proto.js';
import type { Handlers } from '../base/requests.js';
import { toDuration, toLong, toTimestamp } from '../base/values.js';
import { pendingActivity } from '../activities/pending.js';
import { findExecution } from '../executions/find.js';
import { resetPointsOf } from '../executions/reset-points.js';
import type { Child, Execution, WorkflowTask } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { infoOf } from '../visibility/list.js';

type Request = temporal.api.workflowservice.v1.IDescribeWorkflowExecutionRequest;

export function describeHandlers(server: Server): Handlers {
  return {
    DescribeWorkflowExecution: (request: Request) => {
      const execution = findExecution(server, request.execution);
      return describe(server, execution);
    },
  };
}

function describe(server: Server, execution: Execution): object {
  const { started, workflowTask } = execution;
  const run = {
    execution,
    status: execution.status,
    closedAt: execution.closedAt,
    memo: execution.memo,
    searchAttributes: execution.searchAttributes,
    historyLength: execution.history.length,
    historySizeBytes: execution.historySizeBytes,
    stateTransitions: execution.stateTransitions,
  };
  return {
    executionConfig: {
      taskQueue: { name: execution.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      workflowExecutionTimeout: started.workflowExecutionTimeout ?? null,
      workflowRunTimeout: started.workflowRunTimeout ?? null,
      defaultWorkflowTaskTimeout: toDuration(execution.workflowTaskTimeoutMs),
      userMetadata: execution.history[0]?.userMetadata ?? null,
    },
    workflowExecutionInfo: {
      ...infoOf(server, run),
      historyLength: toLong(execution.history.length),
      historySizeBytes: toLong(execution.historySizeBytes),
      stateTransitionCount: toLong(execution.stateTransitions),
      firstRunId: execution.firstRunId,
      priority: execution.priority ?? null,
      autoResetPoints: { points: resetPointsOf(execution) },
    },
    pendingActivities: [...execution.activities.values()].map((activity) =>
      pendingActivity(server, activity),
    ),
    pendingChildren: [...execution.children.values()].map(pendingChild),
    pendingWorkflowTask: workflowTask === undefined ? null : pendingTask(workflowTask),
    workflowExtendedInfo: extendedInfo(execution),
  };
}

function pendingChild(child: Child): object {
  return {
    workflowId: child.workflowId,
    runId: child.runId ?? '',
    workflowTypeName: child.initiated.workflowType?.name ?? '',
    initiatedId: toLong(child.initiatedEventId),
    parentClosePolicy: child.initiated.parentClosePolicy ?? null,
  };
}

function pendingTask(task: WorkflowTask): object {
  const hasStarted = task.startedEventId !== undefined;
  return {
    state: hasStarted
      ? PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED
      : PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED,
    scheduledTime: toTimestamp(task.scheduledAt),
    originalScheduledTime: toTimestamp(task.originalScheduledAt),
    startedTime: hasStarted ? toTimestamp(task.startedAt) : null,
    attempt: task.attempt,
  };
}

function extendedInfo(execution: Execution): object {
  const { executionExpiresAt, runExpiresAt } = execution;
  return {
    executionExpirationTime:
      executionExpiresAt === undefined ? null : toTimestamp(executionExpiresAt),
    runExpirationTime: runExpiresAt === undefined ? null : toTimestamp(runExpiresAt),
    cancelRequested: execution.isCancelRequested,
    originalStartTime: toTimestamp(execution.startedAt),
    resetRunId: execution.resetRunId ?? '',
    requestIdInfos: Object.fromEntries(
      [...execution.requestIds].map(([id, { eventId, eventType }]) => [
        id,
        { eventId: toLong(eventId), eventType },
      ]),
    ),
  };
}
