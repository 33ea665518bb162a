import type { WorkflowExecutionId } from '../base/proto.js';
import {
  COMPLETED_EXECUTION,
  NO_EXECUTION,
  UNKNOWN_EXECUTION,
  invalidArgument,
  notFound,
} from '../base/grpc-error.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';

const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The run that a request names, or the newest one of its workflow id. @throws GrpcError */
export function findExecution(
  server: Server,
  named: WorkflowExecutionId | null | undefined,
): Execution {
  const workflowId = named?.workflowId ?? '';
  const runId = named?.runId ?? '';
  if (workflowId === '') throw invalidArgument('WorkflowId is not set on request.');
  if (runId === '') {
    const current = server.executions.current.get(workflowId);
    if (current === undefined) throw notFound(`${UNKNOWN_EXECUTION}${workflowId}`);
    return current;
  }
  if (!RUN_ID.test(runId)) throw invalidArgument('Invalid RunId.');
  const execution = server.executions.byRun.get(runId);
  if (execution?.workflowId !== workflowId) {
    throw notFound(
      `workflow execution not found for workflow ID "${workflowId}" and run ID "${runId}"`,
    );
  }
  return execution;
}

/** The same, where it is open and of the named chain of runs. @throws GrpcError */
export function findRunning(
  server: Server,
  named: WorkflowExecutionId | null | undefined,
  firstRunId?: string | null,
): Execution {
  const execution = findExecution(server, named);
  checkFirstRun(execution, firstRunId);
  if (!isRunning(execution)) throw notFound(COMPLETED_EXECUTION);
  return execution;
}

export function checkFirstRun(execution: Execution, firstRunId: string | null | undefined): void {
  if (!firstRunId || firstRunId === execution.firstRunId) return;
  throw notFound(NO_EXECUTION);
}
