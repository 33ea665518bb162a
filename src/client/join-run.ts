import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  WorkflowContinuedAsNewError,
  WorkflowFailedError,
} from '@temporalio/client';

import type { JoinRequest } from '../engine/core/messages.js';
import { RunEndedError, RunEndingError, UpdateRefusedError } from './errors.js';
import { sendUpdate, type RunUpdatesDeps } from './run-updates.js';
import { toRunError } from './to-run-error.js';
import { withDeadline } from './with-deadline.js';

export interface JoinDeps extends RunUpdatesDeps {
  /** Longest wait for the end of a run that refuses. */
  endWithinMs: number;
}

interface OpenRun {
  workflowId: string;
  runId: string;
}

/**
 * Asks an open run whether another caller may rely on it. False when it has ended instead: a run that
 * restores what was before refuses, and this waits for its end.
 */
export async function joinRun(
  deps: JoinDeps,
  run: OpenRun,
  request: JoinRequest,
): Promise<boolean> {
  try {
    await sendUpdate(deps, { workflowId: run.workflowId, update: 'join', request });
    return true;
  } catch (error) {
    if (error instanceof RunEndedError) return false;
    if (!(error instanceof UpdateRefusedError)) throw error;
    await untilEnded(deps, run);
    return false;
  }
}

async function untilEnded(
  { client, endWithinMs }: JoinDeps,
  { workflowId, runId }: OpenRun,
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  try {
    await withDeadline(client, endWithinMs, () => handle.result());
  } catch (error) {
    if (hasTimedOut(error)) throw new RunEndingError(workflowId, endWithinMs);
    const hasEnded =
      error instanceof WorkflowFailedError || error instanceof WorkflowContinuedAsNewError;
    // However it ended, the next run may start.
    if (!hasEnded) throw toRunError(workflowId, error);
  }
}

/** The connection of a worker, which a Nexus handler uses, calls its own time limit CANCELLED. */
function hasTimedOut(error: unknown): boolean {
  return isGrpcDeadlineError(error) || (isGrpcCancelledError(error) && saysTimeout(error));
}

function saysTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'Timeout expired' || saysTimeout(error.cause);
}
