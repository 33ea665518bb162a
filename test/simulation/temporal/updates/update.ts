import type { temporal } from '@temporalio/proto';

import { UpdateWorkflowExecutionLifecycleStage as Stage } from '../base/proto.js';
import {
  CLOSING_EXECUTION,
  COMPLETED_EXECUTION,
  Code,
  GrpcError,
  NO_EXECUTION,
  invalidArgument,
  notFound,
  workflowNotReady,
} from '../base/grpc-error.js';
import type { CallContext } from '../base/requests.js';
import { findExecution } from '../executions/find.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import type { Outcome, Update } from '../model/update.js';
import { waitFor } from '../rpcs/wait.js';
import { isWorkflowTaskStarted } from '../history/record.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { newUpdate } from './registry.js';

export type UpdateRequestMessage = temporal.api.workflowservice.v1.IUpdateWorkflowExecutionRequest;
type PollRequest = temporal.api.workflowservice.v1.IPollWorkflowExecutionUpdateRequest;
type StageValue = temporal.api.enums.v1.UpdateWorkflowExecutionLifecycleStage;

/** Workflow tasks that have failed so often mean that an update would fail as well. */
const FAILING_ATTEMPT = 3;
const MOST_IN_FLIGHT = 10;
const MOST_IN_ALL = 2_000;
/** How often the history service itself tries an update again that a closing run has dropped. */
const TRIES = 5;
const AGAIN_MS = 50;

/** An update that a run has taken on, or has already had. */
export interface Admitted {
  execution: Execution;
  update: Update;
}

/** Admits an update, or finds the one with its id. @throws GrpcError */
export function admit(
  server: Server,
  execution: Execution,
  request: UpdateRequestMessage,
): Admitted {
  const { firstExecutionRunId } = request;
  if (firstExecutionRunId && execution.firstRunId !== firstExecutionRunId) {
    throw notFound(NO_EXECUTION);
  }
  const id = request.request?.meta?.updateId ?? '';
  if (id === '') throw invalidArgument('UpdateId is not set on request.');
  const existing = execution.updates.get(id);
  if (existing !== undefined) return { execution, update: existing };
  if (!isRunning(execution)) throw notFound(COMPLETED_EXECUTION);
  checkOpen(execution);
  const update = newUpdate(server, id, request.request ?? {});
  execution.updates.set(id, update);
  return { execution, update };
}

function checkOpen(execution: Execution): void {
  if (execution.workflowTaskAttempt >= FAILING_ATTEMPT) {
    throw workflowNotReady(
      'Unable to perform workflow execution update due to Workflow Task in failed state.',
    );
  }
  if (execution.isCloseAttempted && isWorkflowTaskStarted(execution)) {
    throw new GrpcError(Code.resourceExhausted, CLOSING_EXECUTION);
  }
  const updates = [...execution.updates.values()];
  const inFlight = updates.filter(({ state }) => state !== 'completed').length;
  if (inFlight >= MOST_IN_FLIGHT) {
    throw new GrpcError(
      Code.resourceExhausted,
      `limit on number of concurrent in-flight updates has been reached (${MOST_IN_FLIGHT})`,
    );
  }
  if (updates.length >= MOST_IN_ALL) {
    const message = `limit on number of total updates has been reached (${MOST_IN_ALL})`;
    throw new GrpcError(Code.failedPrecondition, message);
  }
}

/** Sees to it that a worker gets the update: with the pending workflow task, or with one for it alone. */
export function sendSoon(server: Server, execution: Execution): void {
  scheduleWorkflowTask(server, execution, { kind: 'speculative' });
}

/** Waits until the update has come as far as the client wants. @throws GrpcError where it is aborted */
export async function waitForStage(
  server: Server,
  { execution, update }: Admitted,
  { stage, call }: { stage: StageValue; call: CallContext },
): Promise<object> {
  await waitFor(server, {
    check: () => (hasReached(update, stage) ? true : undefined),
    watch: (wake) => update.watchers.add(wake),
    unwatch: (wake) => update.watchers.delete(wake),
    ms: server.limits.longPollMs,
    signal: call.signal,
  });
  return {
    updateRef: {
      workflowExecution: { workflowId: execution.workflowId, runId: execution.runId },
      updateId: update.id,
    },
    outcome: outcomeOf(update),
    stage: stageOf(update),
  };
}

function hasReached(update: Update, stage: StageValue): boolean {
  if (update.aborted !== undefined) throw update.aborted.error;
  const { UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED: completed } = Stage;
  const { UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED: accepted } = Stage;
  if (update.outcome !== undefined) return true;
  if (stage === completed) return false;
  return stage !== accepted || update.state === 'accepted';
}

const outcomeOf = ({ outcome }: Update): Outcome | null => outcome ?? null;

function stageOf({ state, outcome }: Update): StageValue {
  if (outcome !== undefined) return Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED;
  return state === 'accepted'
    ? Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED
    : Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED;
}

export function stageOfRequest(request: { waitPolicy?: UpdateRequestMessage['waitPolicy'] }) {
  return (
    request.waitPolicy?.lifecycleStage ??
    Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_UNSPECIFIED
  );
}

/** Updates a run. A run that is just continuing in another one is asked again, as the server does itself. */
export async function updateWorkflow(
  server: Server,
  request: UpdateRequestMessage,
  call: CallContext,
): Promise<object> {
  for (let tries = 1; ; tries += 1) {
    try {
      const admitted = admit(server, findExecution(server, request.workflowExecution), request);
      if (admitted.update.state === 'admitted') sendSoon(server, admitted.execution);
      return await waitForStage(server, admitted, { stage: stageOfRequest(request), call });
    } catch (error) {
      if (!isClosing(error) || tries >= TRIES) throw error;
      await new Promise<void>((resolve) => {
        server.clock.after(AGAIN_MS, resolve);
      });
    }
  }
}

function isClosing(error: unknown): boolean {
  return error instanceof GrpcError && error.details === CLOSING_EXECUTION;
}

/** Waits for an update that was sent before. @throws GrpcError */
export function pollUpdate(
  server: Server,
  request: PollRequest,
  call: CallContext,
): Promise<object> {
  const execution = findExecution(server, request.updateRef?.workflowExecution);
  const id = request.updateRef?.updateId ?? '';
  const update = execution.updates.get(id);
  if (update === undefined) throw notFound(`update "${id}" not found`);
  return waitForStage(server, { execution, update }, { stage: stageOfRequest(request), call });
}
