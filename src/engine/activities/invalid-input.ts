import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails, type Fault } from '../core/failures.js';
import { countFaults, firstFaults } from '../core/faults.js';
import { plural } from '../core/text.js';
import { GENERAL_ADVICE } from '../http/api-description.js';
import { formatFaults } from '../schema/parse-input.js';

/** @param count number of all faults, when `faults` names only some. */
export function invalidInput(faults: Fault[], count = countFaults(faults)): ApplicationFailure {
  const advice = GENERAL_ADVICE[FailureType.invalidInput];
  const first = firstFaults(faults, count);
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${plural(count, 'fault')}:\n${formatFaults(first)}`,
    details: [{ advice, faults: first } satisfies FailureDetails],
  });
}
