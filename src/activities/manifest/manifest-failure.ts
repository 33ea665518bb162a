import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../../engine/core/failures.js';
import { ADVICE } from '../advice.js';

/** The manifest is missing, forbidden, or has changed since. A person has to fix it. */
export function unreadableFailure(message: string): ApplicationFailure {
  const advice = ADVICE[FailureType.manifestUnreadable];
  return ApplicationFailure.create({
    type: FailureType.manifestUnreadable,
    nonRetryable: true,
    message: `${message}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}

/** The server of the manifest does not answer; the read is repeated. */
export function unavailableFailure(message: string): ApplicationFailure {
  const advice = ADVICE[FailureType.serviceUnavailable];
  return ApplicationFailure.create({
    type: FailureType.serviceUnavailable,
    message: `${message}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}
