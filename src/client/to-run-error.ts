import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';

import type { FailureDetails } from '../contract/failures.js';
import { RunCancelledError, RunFailedError, RunNotFoundError } from './errors.js';

/** Temporal's errors in the words of this product; any other error is returned as it is. */
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
      advice: 'The run was ended from outside; look at what exists before you start it again.',
    },
  });
}

/** `details[0]` of a failure of the product; empty for any other. */
export function firstDetails(failure: ApplicationFailure): Partial<FailureDetails> {
  const first: unknown = failure.details?.[0];
  return first instanceof Object ? first : {};
}
