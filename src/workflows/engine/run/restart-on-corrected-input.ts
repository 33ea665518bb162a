import type { Run } from './run-types.js';

/**
 * Thrown before a call is sent: a person has given the run another input while it was held up.
 * Nothing of the old one exists; what was begun for it begins anew.
 */
export class OutdatedInput extends Error {
  override readonly name = 'OutdatedInput';
}

/** Throws `OutdatedInput` when the run's input is no longer this one. */
export function refuseOutdated(run: Run, input: unknown): void {
  if (run.input !== input) throw new OutdatedInput('the input of the run has been corrected');
}

/** Throws, which begins the round anew, when the run's input is no longer that of the round. */
export type AssertInput = () => void;

/** Begins anew while a person gives the run another input before anything of the old one was sent. */
export async function restartOnCorrectedInput<T>(
  run: Run,
  round: (assertInput: AssertInput) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { input } = run;
    try {
      return await round(() => {
        refuseOutdated(run, input);
      });
    } catch (error) {
      if (!(error instanceof OutdatedInput)) throw error;
    }
  }
}
