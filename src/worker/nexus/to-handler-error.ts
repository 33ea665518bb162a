import { ApplicationFailure } from '@temporalio/common';
import { HandlerError, type HandlerErrorType } from 'nexus-rpc';

import { toKnownError } from '../../client/error-table.js';
import type { ErrorKind, KnownError } from '../../client/known-error.js';
import { REQUEST_CONFLICT } from '../../contract/nexus.js';
import { FailureType } from '../../engine/core/failures.js';

/** `as it is`: the SDK knows what the error means, or a call never meets it. */
const TYPES: Readonly<Record<ErrorKind, HandlerErrorType | 'as it is'>> = {
  InvalidInput: 'BAD_REQUEST',
  RequestConflict: 'CONFLICT',
  RunEnding: 'UNAVAILABLE',
  NoAnswer: 'UNAVAILABLE',
  RunNotFound: 'NOT_FOUND',
  RunFailed: 'as it is',
  Cancelled: 'as it is',
  RunEnded: 'as it is',
  Refused: 'as it is',
  RetryRefused: 'as it is',
  ScheduleNotFound: 'as it is',
  ScheduleConflict: 'as it is',
  UploadLimit: 'as it is',
  UploadUnsettled: 'as it is',
  UploadNotFound: 'as it is',
  UploadInUse: 'as it is',
  DecryptionFailed: 'as it is',
  NamespaceNotFound: 'as it is',
  TemporalRefuses: 'as it is',
  TemporalUnreachable: 'as it is',
};

/**
 * What the caller's workflow gets when nothing was started. A fault that no repetition mends is not
 * retried; while a run ends or no worker answers, the server calls again.
 */
export function toHandlerError(error: unknown): unknown {
  const known = toKnownError(error);
  const type = known === undefined ? 'as it is' : TYPES[known.kind];
  if (known === undefined || type === 'as it is') return error;
  // The whole message: a workflow shows nothing else to a person.
  return new HandlerError(type, known.error.message, { cause: toCause(known) });
}

const CORRECT_THE_INPUT = 'Correct the input and call again. Nothing was started.';

/** With what the caller's workflow can read: the SDK carries the details of a failure of Temporal only. */
function toCause(known: KnownError): Error {
  const { kind, error } = known;
  if (kind === 'InvalidInput') {
    const details = { advice: CORRECT_THE_INPUT, faults: error.faults };
    return toFailure(error.message, FailureType.invalidInput, details);
  }
  if (kind !== 'RequestConflict') return error;
  const { message, advice, state, paths } = error;
  return toFailure(message, REQUEST_CONFLICT, { advice, state, paths });
}

function toFailure(message: string, type: string, details: object): ApplicationFailure {
  return ApplicationFailure.create({ message, type, nonRetryable: true, details: [details] });
}
