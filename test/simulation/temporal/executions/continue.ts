import type { Failure, Payloads, StartedAttributes } from '../base/proto.js';
import type { ContinueAsNewInitiator } from '../base/proto.js';
import { pick } from '../base/pick.js';
import { toDuration, toTime } from '../base/values.js';
import { commit } from '../workflow-tasks/commit.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { createExecution, scheduleFirstWorkflowTask } from './create.js';
import { inheritedResetPoints } from './reset-points.js';

export interface Continuation {
  newRunId: string;
  initiator: (typeof ContinueAsNewInitiator)[keyof typeof ContinueAsNewInitiator];
  backoffMs: number;
  /** What differs from the run before. */
  attributes: StartedAttributes;
  attempt: number;
  failure: Failure | null;
  lastCompletionResult: Payloads | null;
}

/** Begins the run that follows one that has just closed. */
export function continueExecution(
  server: Server,
  previous: Execution,
  continuation: Continuation,
): void {
  const { started } = previous;
  const backoffMs = leastBackoff(server, previous, continuation.backoffMs);
  const execution = createExecution(server, {
    workflowId: previous.workflowId,
    runId: continuation.newRunId,
    requestId: drawId(server.draw),
    firstRunId: previous.firstRunId,
    parent: previous.parent,
    root: previous.root,
    executionExpiresAt: previous.executionExpiresAt,
    attributes: {
      ...pick(started, [
        'workflowType',
        'taskQueue',
        'input',
        'workflowExecutionTimeout',
        'workflowRunTimeout',
        'workflowTaskTimeout',
        'retryPolicy',
        'cronSchedule',
        'header',
        'memo',
        'searchAttributes',
        'priority',
      ]),
      ...continuation.attributes,
      continuedExecutionRunId: previous.runId,
      initiator: continuation.initiator,
      continuedFailure: continuation.failure,
      lastCompletionResult: continuation.lastCompletionResult,
      attempt: continuation.attempt,
      prevAutoResetPoints: { points: inheritedResetPoints(previous, server.clock.now()) },
      firstWorkflowTaskBackoff: backoffMs > 0 ? toDuration(backoffMs) : null,
    },
  });
  scheduleFirstWorkflowTask(server, execution);
  commit(server, execution);
}

/** A run that continues at once waits a little: the server allows one start a second. */
function leastBackoff(server: Server, previous: Execution, backoffMs: number): number {
  const startedAt = toTime(previous.history[0]?.eventTime) ?? previous.startedAt;
  const lifetime = server.clock.now() - startedAt + backoffMs;
  const least = server.limits.continueAsNewMinMs;
  return lifetime < least ? least - lifetime + backoffMs : backoffMs;
}
