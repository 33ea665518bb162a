import { failureTypeOf } from './failures.js';
import type { Run } from './run-types.js';

/**
 * Thrown before a call is sent, when a person has corrected the input meanwhile, or changed what it was checked
 * against. Nothing was made from it, so the round starts again.
 */
class OutdatedInput extends Error {
  override readonly name = 'OutdatedInput';
}

/**
 * Thrown instead of sending a call, in a run that an operator has reset: what it has looked at before is
 * not enough. Nothing was sent, so the round starts again.
 */
export class RunWasReset extends Error {
  override readonly name = 'RunWasReset';
}

/** Throws `OutdatedInput` when the run's input is no longer this one. */
export function refuseOutdatedInput(run: Run, input: unknown): void {
  if (run.input !== input) throw new OutdatedInput('the input of the run has been corrected');
}

/** Throws `OutdatedInput` when what a call was made from is no longer so. */
export function refuseChanged(isSame: boolean): void {
  if (!isSame) throw new OutdatedInput('what the run has checked has changed since');
}

/** Throws `OutdatedInput` when the run's input is no longer the one of this round. */
export type AssertInput = () => void;

/** Whether nothing was sent, and the round starts again. */
export function isOutdated(error: unknown): boolean {
  return error instanceof OutdatedInput || error instanceof RunWasReset;
}

/**
 * Repeats the round whenever a person corrects the input, or changes what was checked, before anything was sent, and
 * when the run turns out to be reset. In a round whose input was corrected no further step begins. A correction is taken only
 * while nothing is made from the input before: how the round with that one ends says nothing about the input of now.
 */
export async function restartOnCorrectedInput<T>(
  run: Run,
  round: (assertInput: AssertInput) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { input } = run;
    const assertInput = (): void => {
      refuseOutdatedInput(run, input);
    };
    run.round.assertInput = assertInput;
    try {
      const result = await round(assertInput);
      assertInput();
      return result;
    } catch (error) {
      const isOfAnotherInput = run.input !== input && failureTypeOf(error) !== undefined;
      const isEnding = run.controls.endingReason() !== undefined;
      if (!isOutdated(error) && (isEnding || !isOfAnotherInput)) throw error;
      if (error instanceof RunWasReset) await run.checkAfterReset();
    } finally {
      delete run.round.assertInput;
    }
  }
}
