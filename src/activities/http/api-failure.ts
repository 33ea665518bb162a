import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../../contract/failures.js';
import { ADVICE } from './advice.js';

/** Failures that Temporal's retry policy may answer by calling again. */
const RETRYABLE: ReadonlySet<FailureType> = new Set([
  FailureType.rateLimited,
  FailureType.serviceUnavailable,
  FailureType.resourceBusy,
]);

/** A read that does not match its schema heals with a deployment: ask seldom. */
const UNEXPECTED_RETRY_MS = 60_000;

export interface ApiFailure {
  type: FailureType;
  message: string;
  details: Omit<FailureDetails, 'advice'>;
  /** Milliseconds the API asked to wait. */
  retryAfterMs?: number | undefined;
  /** Instead of a minute, for a read whose answer has an unknown form. */
  unexpectedRetryMs?: number | undefined;
  /** False for a mutation: an unexpected answer to one must not be met with a repeat. */
  repeatable: boolean;
}

/** The one place where a failure of the API becomes Temporal's. No cause is attached: causes carry headers. */
export function toApplicationFailure(failure: ApiFailure): ApplicationFailure {
  const { type, message, details, repeatable } = failure;
  const isUnexpected = type === FailureType.unexpectedResponse;
  const { unexpectedRetryMs = UNEXPECTED_RETRY_MS, retryAfterMs } = failure;
  const delay = isUnexpected ? unexpectedRetryMs : retryAfterMs;
  const advice = ADVICE[type];
  return ApplicationFailure.create({
    type,
    message: `${message}. ${advice}`,
    nonRetryable: !RETRYABLE.has(type) && !(isUnexpected && repeatable),
    details: [{ ...details, advice } satisfies FailureDetails],
    ...(delay === undefined ? {} : { nextRetryDelay: delay }),
  });
}
