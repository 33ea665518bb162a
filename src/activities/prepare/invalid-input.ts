import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails, type Fault } from '../../contract/failures.js';
import { formatFaults } from '../../contract/parse-input.js';
import { ADVICE } from '../http/advice.js';

/** @param count number of all faults, when `faults` names only some. */
export function invalidInput(faults: Fault[], count = faults.length): ApplicationFailure {
  const more = count > faults.length ? `\n  … and ${count - faults.length} more` : '';
  const advice = ADVICE[FailureType.invalidInput];
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${count} fault(s):\n${formatFaults(faults)}${more}`,
    details: [{ advice, faults } satisfies FailureDetails],
  });
}
