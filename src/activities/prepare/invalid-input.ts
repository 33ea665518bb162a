import { ApplicationFailure } from '@temporalio/common';

import { plural } from '../../engine/core/plural.js';
import { FailureType, type FailureDetails, type Fault } from '../../engine/core/failures.js';
import { countFaults, firstFaults } from '../../engine/core/first-faults.js';
import { formatFaults } from '../../engine/schema/parse-input.js';
import { ADVICE } from '../advice.js';

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
