import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';

import type { FailureDetails } from '../engine/core/failures.js';
import { RunCancelledError, RunFailedError, RunNotFoundError } from './errors.js';

/** Turns Temporal's errors into errors of this client; returns any other error unchanged. */
export function toRunError(workflowId: string, error: unknown): unknown {
  if (error instanceof WorkflowNotFoundError) return new RunNotFoundError(workflowId);
  if (!(error instanceof WorkflowFailedError)) return error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return new RunCancelledError(workflowId);
  if (cause instanceof ApplicationFailure) {
    const type = cause.type ?? 'Unknown';
    return new RunFailedError(workflowId, {
      type,
      message: cause.message,
      details: firstDetails(cause),
    });
  }
  const message = cause?.message ?? error.message;
  return new RunFailedError(workflowId, {
    type: cause?.name ?? error.name,
    message,
    details: {
      advice: 'The run was terminated or timed out. Check what exists before you start it again.',
    },
  });
}

/** `details[0]` of a failure of this product; empty for any other failure. */
export function firstDetails(failure: ApplicationFailure): Partial<FailureDetails> {
  const first: unknown = failure.details?.[0];
  return first instanceof Object ? first : {};
}

/** The same promise, whose errors are those of a run. */
export async function orRunError<T>(workflowId: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}
