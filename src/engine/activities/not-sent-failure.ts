import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../core/failures.js';

/** The activity itself refuses to send: the run looks again. */
export function notSentFailure(reason: string, details: FailureDetails): ApplicationFailure {
  return ApplicationFailure.create({
    // What the API turns away has the same type: nothing has happened.
    type: FailureType.serviceUnavailable,
    nonRetryable: true,
    message: `Not sent: ${reason}. ${details.advice}`,
    details: [details],
  });
}
