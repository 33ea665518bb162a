import { attemptOnce } from './attempt-once.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import type { Run } from '../run/run-types.js';
import { createPause } from '../wait/create-pause.js';

/** A mutation that has the same effect however often it is carried out, as long as nobody else writes. */
export interface ConvergentCall<T> {
  /** For the status, such as `chunk 3 of 50`. */
  name: string;
  /** One attempt. */
  send(): Promise<T>;
  /** An attempt may have been carried out, or may still be: it was given up at this time. */
  onDoubt(reason: string, at: number): void;
  /** It was not sent, and will be again. */
  onHeld(reason: string): void;
}

export interface Answered<T> {
  answer: T;
  /** How often it may have been carried out. */
  attempts: number;
}

/**
 * Sends until the API answers. After a lost answer it simply sends again: for what converges, that
 * is cheaper than reading back what was written, and proves the same. Its caller has to see to it
 * that nobody writes the same in between (`engine/turns`), also for as long as an attempt that was
 * given up may still arrive. Each attempt is shielded from cancellation. What a person has to mend
 * blocks the run; a definite no is thrown.
 */
export async function sendUntilAnswered<T>(
  run: Run,
  call: ConvergentCall<T>,
): Promise<Answered<T>> {
  const pause = createPause(run, {
    name: `the API to take ${call.name}`,
    type: 'list of the API',
  });
  let attempts = 1;
  for (;;) {
    await run.controls.clearance();
    const attempt = await parkWhileBlocked(run, () => attemptOf(call));
    if (attempt.kind === 'answered') return { answer: attempt.answer, attempts };
    if (attempt.kind === 'unknown') {
      attempts += 1;
      call.onDoubt(attempt.reason, Date.now());
      await pause();
    } else {
      call.onHeld(attempt.reason);
      await pause(undefined, attempt.waitMs);
    }
    run.ledger.setWaiting(undefined);
  }
}

/** Throws what is a definite no; only that can be for a person to mend. */
async function attemptOf<T>(call: ConvergentCall<T>) {
  const attempt = await attemptOnce(() => call.send());
  if (attempt.kind === 'rejected') throw attempt.error;
  return attempt;
}
