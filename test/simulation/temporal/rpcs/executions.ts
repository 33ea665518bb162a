import type { temporal } from '@temporalio/proto';

import { WorkflowIdConflictPolicy } from '../base/proto.js';
import type { Handlers } from '../base/requests.js';
import { invalidArgument } from '../base/grpc-error.js';
import { terminateExecution } from '../executions/close.js';
import { checkFirstRun, findExecution, findRunning } from '../executions/find.js';
import { recordSignal, requestCancel, signalExecution, type Signal } from '../executions/signal.js';
import { startExecution, type Started, type StartRequest } from '../executions/start.js';
import type { Server } from '../model/server.js';
import { resetExecution } from '../reset/reset.js';
import { executeMultiOperation } from '../updates/multi-operation.js';
import { pollUpdate, updateWorkflow } from '../updates/update.js';
import { forgetExecution } from '../visibility/store.js';
import { commit } from '../workflow-tasks/commit.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { startAnswer } from './start-answer.js';

type SignalRequest = temporal.api.workflowservice.v1.ISignalWorkflowExecutionRequest;
type SignalWithStart = temporal.api.workflowservice.v1.ISignalWithStartWorkflowExecutionRequest;
type CancelRequest = temporal.api.workflowservice.v1.IRequestCancelWorkflowExecutionRequest;
type TerminateRequest = temporal.api.workflowservice.v1.ITerminateWorkflowExecutionRequest;
type DeleteRequest = temporal.api.workflowservice.v1.IDeleteWorkflowExecutionRequest;

/** What clients do to runs. */
export function executionHandlers(server: Server): Handlers {
  return {
    StartWorkflowExecution: (request: StartRequest) => start(server, request),
    SignalWorkflowExecution: (request: SignalRequest) => {
      const execution = findRunning(server, request.workflowExecution);
      signalExecution(server, execution, signalOf(request));
      return { link: startAnswer(server, execution).link };
    },
    SignalWithStartWorkflowExecution: (request: SignalWithStart) =>
      signalWithStart(server, request),
    RequestCancelWorkflowExecution: (request: CancelRequest) => cancel(server, request),
    TerminateWorkflowExecution: (request: TerminateRequest) => terminate(server, request),
    DeleteWorkflowExecution: (request: DeleteRequest) => remove(server, request),
    ResetWorkflowExecution: (
      request: temporal.api.workflowservice.v1.IResetWorkflowExecutionRequest,
    ) => resetExecution(server, request),
    ExecuteMultiOperation: (
      request: temporal.api.workflowservice.v1.IExecuteMultiOperationRequest,
      call,
    ) => executeMultiOperation(server, request, call),
    UpdateWorkflowExecution: (
      request: temporal.api.workflowservice.v1.IUpdateWorkflowExecutionRequest,
      call,
    ) => updateWorkflow(server, request, call),
    PollWorkflowExecutionUpdate: (
      request: temporal.api.workflowservice.v1.IPollWorkflowExecutionUpdateRequest,
      call,
    ) => pollUpdate(server, request, call),
  };
}

/** A request that comes again is answered as the first time, if the run is that of the request. */
function isStarted({ outcome, execution }: Started, request: StartRequest): boolean {
  return (
    outcome === 'new' ||
    (outcome === 'deduplicated' && execution.createRequestId === request.requestId)
  );
}

function start(server: Server, request: StartRequest): object {
  const started = startExecution(server, request);
  return {
    ...startAnswer(server, started.execution),
    started: isStarted(started, request),
  };
}

function signalOf(request: SignalRequest): Signal {
  if (!request.signalName) throw invalidArgument('SignalName is not set on request.');
  return {
    name: request.signalName,
    input: request.input ?? null,
    header: request.header ?? null,
    identity: request.identity ?? '',
    requestId: request.requestId ?? '',
  };
}

function signalWithStart(server: Server, request: SignalWithStart): object {
  const signal: Signal = {
    name: request.signalName ?? '',
    input: request.signalInput ?? null,
    header: request.header ?? null,
    identity: request.identity ?? '',
    requestId: request.requestId ?? '',
  };
  const current = server.executions.current.get(request.workflowId ?? '');
  const conflict = request.workflowIdConflictPolicy;
  if (current !== undefined && isRunning(current) && !replaces(conflict)) {
    signalExecution(server, current, signal);
    return { ...startAnswer(server, current), started: false };
  }
  const { execution } = startExecution(server, request, {
    first: (created) => recordSignal(server, created, signal),
  });
  return { ...startAnswer(server, execution), started: true };
}

/** All other policies mean the run that is there. */
function replaces(policy: StartRequest['workflowIdConflictPolicy']): boolean {
  return policy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING;
}

function cancel(server: Server, request: CancelRequest): object {
  const execution = findExecution(server, request.workflowExecution);
  checkFirstRun(execution, request.firstExecutionRunId);
  if (isRunning(execution)) {
    const { reason, identity } = request;
    requestCancel(server, execution, { reason: reason ?? '', identity: identity ?? '' });
  }
  return {};
}

function terminate(server: Server, request: TerminateRequest): object {
  const { workflowExecution, firstExecutionRunId } = request;
  const execution = findRunning(server, workflowExecution, firstExecutionRunId);
  terminateExecution(server, execution, {
    reason: request.reason || 'terminated by user via frontend',
    identity: request.identity || 'frontend-service',
    details: request.details ?? null,
  });
  commit(server, execution);
  return {};
}

/** Deletes a run a little later. An open one is terminated first. */
function remove(server: Server, request: DeleteRequest): object {
  const execution = findExecution(server, request.workflowExecution);
  if (isRunning(execution)) {
    const ending = { reason: 'Delete workflow execution', identity: 'history-service' };
    terminateExecution(server, execution, { ...ending, details: null });
    commit(server, execution);
  }
  server.clock.after(server.draw.number(5, 50), () => {
    execution.isDeleted = true;
    server.executions.byRun.delete(execution.runId);
    if (server.executions.current.get(execution.workflowId) === execution) {
      server.executions.current.delete(execution.workflowId);
    }
    forgetExecution(server, execution);
  });
  return {};
}
