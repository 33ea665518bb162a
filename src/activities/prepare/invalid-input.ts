import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails, type Fault } from '../../contract/failures.js';
import { formatFaults } from '../../contract/parse-input.js';
import { ADVICE } from '../http/advice.js';

export function invalidInput(faults: Fault[]): ApplicationFailure {
  const advice = ADVICE[FailureType.invalidInput];
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${faults.length} fault(s):\n${formatFaults(faults)}`,
    details: [{ advice, faults } satisfies FailureDetails],
  });
}
