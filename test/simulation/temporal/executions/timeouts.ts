import type { Failure } from '../base/proto.js';
import { ContinueAsNewInitiator, RetryState, TimeoutType } from '../base/proto.js';
import { setWake } from '../history/wakes.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { commit } from '../workflow-tasks/commit.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { timeOutExecution } from './close.js';
import { continueExecution } from './continue.js';
import { workflowRetry } from './retry.js';

/** Ends a run that takes longer than it may. */
export function watchRun(server: Server, execution: Execution): void {
  setWake(server, execution, {
    name: 'run',
    at: execution.runExpiresAt,
    act: () => {
      if (isRunning(execution)) timeOut(server, execution);
    },
  });
}

const FAILURE: Failure = {
  message: 'workflow timeout',
  source: 'Server',
  timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
};

function timeOut(server: Server, execution: Execution): void {
  const { executionExpiresAt } = execution;
  const isExpired = executionExpiresAt !== undefined && executionExpiresAt <= server.clock.now();
  const retry = isExpired ? undefined : workflowRetry(server, execution, FAILURE);
  if (retry?.state !== RetryState.RETRY_STATE_IN_PROGRESS) {
    timeOutExecution(server, execution, {
      retryState: retry?.state ?? RetryState.RETRY_STATE_TIMEOUT,
      newRunId: '',
    });
    commit(server, execution);
    return;
  }
  const newRunId = drawId(server.draw);
  execution.newRunId = newRunId;
  timeOutExecution(server, execution, { retryState: retry.state, newRunId });
  commit(server, execution);
  continueExecution(server, execution, {
    newRunId,
    initiator: ContinueAsNewInitiator.CONTINUE_AS_NEW_INITIATOR_RETRY,
    backoffMs: retry.waitMs,
    attributes: {},
    attempt: (execution.started.attempt ?? 1) + 1,
    failure: FAILURE,
    lastCompletionResult: execution.started.lastCompletionResult ?? null,
  });
}
