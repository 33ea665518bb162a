import { ApplicationFailure } from '@temporalio/common';

import { plural } from '../../contract/plural.js';
import { FailureType, type FailureDetails, type Fault } from '../../contract/failures.js';
import { countFaults, firstFaults } from '../../contract/first-faults.js';
import { formatFaults } from '../../contract/parse-input.js';
import { ADVICE } from '../http/advice.js';

/** @param count number of all faults, when `faults` names only some. */
export function invalidInput(faults: Fault[], count = countFaults(faults)): ApplicationFailure {
  const advice = ADVICE[FailureType.invalidInput];
  const first = firstFaults(faults, count);
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${plural(count, 'fault')}:\n${formatFaults(first)}`,
    details: [{ advice, faults: first } satisfies FailureDetails],
  });
}
