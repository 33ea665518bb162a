import type { temporal } from '@temporalio/proto';

import {
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  EventType,
  TaskQueueKind,
} from '../base/proto.js';
import type { Status, StartedAttributes } from '../base/proto.js';
import { Code, GrpcError, alreadyStarted, invalidArgument } from '../base/grpc-error.js';
import { pick } from '../base/pick.js';
import { toDuration, toMs, toPayloads } from '../base/values.js';
import { fullRetryPolicy } from '../activities/schedule.js';
import { commit } from '../workflow-tasks/commit.js';
import { drawId } from '../model/ids.js';
import type { Execution, Parent } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { checkSearchAttributes } from '../visibility/search-attributes.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { HISTORY_SERVICE, terminateExecution } from './close.js';
import { createExecution, scheduleFirstWorkflowTask } from './create.js';

export type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;

export type Started =
  | { outcome: 'new'; execution: Execution }
  /** The same request has come before. */
  | { outcome: 'deduplicated'; execution: Execution }
  | { outcome: 'existing'; execution: Execution };

const FAILED: ReadonlySet<Status> = new Set([
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
]);

/** Throws what is wrong with the request. @throws GrpcError */
function checkStart(server: Server, request: StartRequest): void {
  if (!request.workflowId) throw invalidArgument('WorkflowId is not set on request.');
  if (!request.workflowType?.name) throw invalidArgument('WorkflowType is not set on request.');
  if (!request.taskQueue?.name) throw invalidArgument('missing task queue name');
  checkSearchAttributes(server, request.searchAttributes?.indexedFields);
}

export interface StartOptions {
  /** Acts on the new run before its first workflow task: a signal or an update that comes with the start. */
  first?: (execution: Execution) => void;
  /** The parent of a child. Its first workflow task waits until the parent knows of it. */
  parent?: Parent;
  root?: Execution['root'];
}

/** Starts a run, or finds that one is there already. @throws GrpcError */
export function startExecution(
  server: Server,
  request: StartRequest,
  options: StartOptions = {},
): Started {
  checkStart(server, request);
  const current = server.executions.current.get(request.workflowId ?? '');
  const found = current === undefined ? undefined : decide(request, current);
  if (found !== undefined) return found;
  const runId = drawId(server.draw);
  if (current !== undefined && isRunning(current)) giveWay(server, current, runId);
  const execution = createExecution(server, {
    workflowId: request.workflowId ?? '',
    runId,
    requestId: request.requestId ?? '',
    attributes: attributesOf(request),
    metadata: request.userMetadata ?? null,
    parent: options.parent,
    root: options.root,
  });
  options.first?.(execution);
  if (options.parent === undefined) scheduleFirstWorkflowTask(server, execution);
  commit(server, execution);
  return { outcome: 'new', execution };
}

/** What becomes of a start whose workflow id is taken. Undefined where a new run begins. */
function decide(request: StartRequest, current: Execution): Started | undefined {
  if (request.requestId && current.requestIds.get(request.requestId) !== undefined) {
    return { outcome: 'deduplicated', execution: current };
  }
  if (isRunning(current)) return conflict(request, current);
  checkReuse(request, current);
  return undefined;
}

function conflict(request: StartRequest, current: Execution): Started | undefined {
  const { workflowIdConflictPolicy: policy, workflowIdReusePolicy: reusePolicy } = request;
  const terminates = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING;
  if (reusePolicy === terminates) return undefined;
  if (policy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING) {
    return undefined;
  }
  if (policy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING) {
    const options = request.onConflictOptions;
    if (options?.attachRequestId === true) attachRequest(request, current);
    return { outcome: 'existing', execution: current };
  }
  throw alreadyStarted(
    `Workflow execution is already running. WorkflowId: ${current.workflowId}, RunId: ${current.runId}.`,
    current,
  );
}

function attachRequest(request: StartRequest, current: Execution): void {
  current.requestIds.set(request.requestId ?? '', {
    eventId: 1,
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  });
}

/** @throws GrpcError where the id of a closed run must not be used again */
function checkReuse(request: StartRequest, current: Execution): void {
  const { workflowIdReusePolicy: policy } = request;
  const finished = `Workflow execution already finished. WorkflowId: ${current.workflowId}, RunId: ${current.runId}.`;
  const refuse = (rule: string): never => {
    const message = `${finished} Workflow Id reuse policy: ${rule}.`;
    throw alreadyStarted(message, current);
  };
  if (policy === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE) {
    refuse('reject duplicate workflow Id');
  }
  const onlyFailed = WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY;
  if (policy === onlyFailed && !FAILED.has(current.status)) {
    refuse('allow duplicate workflow Id if last run failed');
  }
}

function giveWay(server: Server, current: Execution, runId: string): void {
  const lived = server.clock.now() - current.startedAt;
  if (lived < server.limits.continueAsNewMinMs) {
    throw new GrpcError(
      Code.resourceExhausted,
      `Too many restarts for workflow ${current.workflowId}. Time since last start: ${lived} ms`,
    );
  }
  terminateExecution(server, current, {
    reason: 'TerminateIfRunning WorkflowIdReusePolicy',
    identity: HISTORY_SERVICE,
    details: toPayloads(`terminated by new runID: ${runId}`),
  });
  commit(server, current);
}

const DEFAULT_TASK_MS = 10_000;

/** What the started event takes from the request. */
function attributesOf(request: StartRequest): StartedAttributes {
  const execution = toMs(request.workflowExecutionTimeout);
  const run = toMs(request.workflowRunTimeout);
  const runMs = execution > 0 ? Math.min(run || execution, execution) : run;
  const taskMs = toMs(request.workflowTaskTimeout) || DEFAULT_TASK_MS;
  return {
    ...pick(request, [
      'workflowType',
      'input',
      'workflowExecutionTimeout',
      'identity',
      'memo',
      'searchAttributes',
      'header',
      'priority',
      'continuedFailure',
      'lastCompletionResult',
    ]),
    taskQueue: {
      name: request.taskQueue?.name ?? '',
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
    workflowRunTimeout: runMs > 0 ? toDuration(runMs) : (request.workflowRunTimeout ?? null),
    workflowTaskTimeout: toDuration(runMs > 0 ? Math.min(taskMs, runMs) : taskMs),
    retryPolicy: request.retryPolicy ? fullRetryPolicy(request.retryPolicy) : null,
    attempt: 1,
    firstWorkflowTaskBackoff: request.workflowStartDelay ?? toDuration(0),
  };
}
