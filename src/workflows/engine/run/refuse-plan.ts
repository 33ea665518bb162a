import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { FailureType } from '../../../contract/failures.js';
import { failure } from './failures.js';

/** An operation without a plan must not be run in the place of one: it would change things. */
export function refusePlan({ planOnly }: PreparedRun, { isPlan }: { isPlan?: boolean }): void {
  if ((planOnly === true) === (isPlan === true)) return;
  throw failure(FailureType.invalidInput, 'This is no run that makes a plan.', {
    advice: 'Leave "planOnly" out to run the operation.',
    faults: [{ path: 'planOnly', message: 'cannot be had from this run' }],
  });
}
