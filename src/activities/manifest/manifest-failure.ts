import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../../contract/failures.js';
import { ADVICE } from '../http/advice.js';

/** The manifest is missing, may not be read, or is no longer what it was. For a person to mend. */
export function unreadable(message: string): ApplicationFailure {
  const advice = ADVICE[FailureType.manifestUnreadable];
  return ApplicationFailure.create({
    type: FailureType.manifestUnreadable,
    nonRetryable: true,
    message: `${message}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}

/** What holds the manifest does not answer; it is asked again. */
export function unavailable(message: string): ApplicationFailure {
  const advice = ADVICE[FailureType.serviceUnavailable];
  return ApplicationFailure.create({
    type: FailureType.serviceUnavailable,
    message: `${message}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}
