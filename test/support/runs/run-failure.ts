import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import type { FailureDetails } from '../../../src/engine/core/failures.js';

export interface FailureOfRun {
  type: string | null | undefined;
  message: string;
  details: Partial<FailureDetails>;
}

/** Waits for a run that must fail. Returns its failure as a caller sees it. */
export async function failureOfRun(run: WorkflowHandle): Promise<FailureOfRun> {
  const cause = await endOfRun(run);
  if (!(cause instanceof ApplicationFailure))
    throw new Error(`no failure of ours: ${String(cause)}`);
  const first: unknown = cause.details?.[0];
  return {
    type: cause.type,
    message: cause.message,
    details: first instanceof Object ? first : {},
  };
}

/** Why a run ended without a result: an ApplicationFailure, a CancelledFailure and so on. */
export async function endOfRun(run: WorkflowHandle): Promise<unknown> {
  try {
    await run.result();
  } catch (error) {
    if (error instanceof WorkflowFailedError) return error.cause;
    throw error;
  }
  throw new Error('the run succeeded, although it should not have');
}
