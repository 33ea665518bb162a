import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../core/failures.js';
import { GENERAL_ADVICE } from './advice.js';
import type { Advice } from './api-description.js';
import type { HeldReason } from './call-observer.js';

/** Failures that Temporal's retry policy may answer by calling again. */
const RETRYABLE: ReadonlySet<FailureType> = new Set([
  FailureType.rateLimited,
  FailureType.serviceUnavailable,
  FailureType.resourceBusy,
]);

/** A new deployment fixes a read that does not match its schema, so the pause is long. */
const UNEXPECTED_RETRY_MS = 60_000;

export interface ApiFailure {
  type: FailureType;
  message: string;
  details: Omit<FailureDetails, 'advice'>;
  /** Wait that the API asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Pause before a read is repeated after an answer of unknown form; default one minute. */
  unexpectedRetryMs?: number | undefined;
  /** What a person should do, where the product says it more exactly. */
  advice?: Advice | undefined;
  /** Why it was not sent; missing for a call that was. */
  notSent?: HeldReason;
  /** False for a mutation: an unexpected answer must not lead to a repeat. */
  repeatable: boolean;
}

/** Turns a failure of the API into one of Temporal; nothing else does. Attaches no cause: causes carry headers. */
export function toApplicationFailure(failure: ApiFailure): ApplicationFailure {
  const { type, message, details, repeatable } = failure;
  const isUnexpected = type === FailureType.unexpectedResponse;
  const { unexpectedRetryMs = UNEXPECTED_RETRY_MS, retryAfterMs } = failure;
  const delay = isUnexpected ? unexpectedRetryMs : retryAfterMs;
  const advice = (failure.advice ?? GENERAL_ADVICE)[type];
  return ApplicationFailure.create({
    type,
    message: `${message}. ${advice}`,
    nonRetryable: !RETRYABLE.has(type) && !(isUnexpected && repeatable),
    details: [{ ...details, advice } satisfies FailureDetails],
    ...(delay === undefined ? {} : { nextRetryDelay: delay }),
  });
}
