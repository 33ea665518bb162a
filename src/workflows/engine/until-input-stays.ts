import type { Run } from './run.js';
import { OutdatedInput } from './send-once.js';

/** Throws, which begins the round anew, when the run's input is no longer that of the round. */
export type AssertInput = () => void;

/** Begins anew while a person gives the run another input before anything of the old one was sent. */
export async function untilInputStays<T>(
  run: Run,
  round: (assertInput: AssertInput) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { input } = run;
    try {
      return await round(() => {
        if (run.input !== input) throw new OutdatedInput('the input of the run has been corrected');
      });
    } catch (error) {
      if (!(error instanceof OutdatedInput)) throw error;
    }
  }
}
