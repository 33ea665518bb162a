import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { HandlerError } from 'nexus-rpc';

import {
  InvalidInputError,
  NoAnswerError,
  RequestConflictError,
  RunEndingError,
  RunNotFoundError,
} from '../../client/index.js';
import { FailureType } from '../../engine/core/failures.js';
import { REQUEST_CONFLICT } from '../../contract/nexus.js';

const CORRECT_THE_INPUT = 'Correct the input and call again. Nothing was started.';

/**
 * What the caller's workflow gets when nothing was started. A fault that no repetition mends is not
 * retried; while a run ends or no worker answers, the server calls again. Any other error is Temporal's.
 */
export function toHandlerError(error: unknown): unknown {
  if (error instanceof InvalidInputError) return badRequest(error);
  if (error instanceof RequestConflictError) return conflict(error);
  if (error instanceof RunEndingError || error instanceof NoAnswerError) {
    return new HandlerError('UNAVAILABLE', error.message, { cause: error });
  }
  if (error instanceof RunNotFoundError || error instanceof WorkflowNotFoundError) {
    return new HandlerError('NOT_FOUND', error.message, { cause: error });
  }
  return error;
}

function badRequest({ message, faults }: InvalidInputError): HandlerError {
  const cause = ApplicationFailure.create({
    message,
    type: FailureType.invalidInput,
    nonRetryable: true,
    details: [{ advice: CORRECT_THE_INPUT, faults }],
  });
  return new HandlerError('BAD_REQUEST', message, { cause });
}

function conflict({ message, advice, state, paths }: RequestConflictError): HandlerError {
  const cause = ApplicationFailure.create({
    message,
    type: REQUEST_CONFLICT,
    nonRetryable: true,
    details: [{ advice, state, paths }],
  });
  return new HandlerError('CONFLICT', message, { cause });
}
