import { FailureType } from '../core/failures.js';
import { unknownFields, type PreparedRun, type Known } from '../core/prepared-run.js';
import { failure } from './failures.js';

/** Refuses `planOnly` where the run would not make a plan but change things, and the reverse. */
export function refusePlan({ planOnly }: PreparedRun, { isPlan }: { isPlan?: boolean }): void {
  if ((planOnly === true) === (isPlan === true)) return;
  throw failure(FailureType.invalidInput, 'This run does not make a plan.', {
    advice: 'Leave "planOnly" out to run the operation.',
    faults: [{ path: 'planOnly', message: 'is not supported by this run' }],
  });
}

/**
 * Refuses what a newer version of the worker has recorded or handed over. To ignore a field would be to decide
 * differently from then on, and neither version could replay such a history. This error is no Temporal failure: it
 * fails the workflow task, not the run, and Temporal offers the task again until a worker of the newer version
 * takes it.
 */
export function refuseUnknownFields(what: string, value: unknown, known: Known): void {
  const [first, ...others] = unknownFields(value, known);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new Error(
    `A newer version of the worker wrote ${what} of this run: it has ${first}${more}, which this version does not know. ` +
      'The run is not lost: it waits for a worker of the newer version. Start one, or finish the deployment (docs/upgrade.md).',
  );
}
