import type { PreparedRun } from '../core/prepared-run.js';
import { FailureType } from '../core/failures.js';
import { failure } from './failures.js';

/** Refuses `planOnly` where the run would not make a plan but change things, and the reverse. */
export function refusePlan({ planOnly }: PreparedRun, { isPlan }: { isPlan?: boolean }): void {
  if ((planOnly === true) === (isPlan === true)) return;
  throw failure(FailureType.invalidInput, 'This run does not make a plan.', {
    advice: 'Leave "planOnly" out to run the operation.',
    faults: [{ path: 'planOnly', message: 'is not supported by this run' }],
  });
}
