import { attemptOnce } from './attempt-once.js';
import { repeatWhileBusy } from './block-while-busy.js';
import type { Within } from '../run/activity-calls.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import type { Run } from '../run/run-types.js';
import { createPause } from '../wait/create-pause.js';

/** A mutation that has the same effect however often it is carried out, while nobody else writes. */
export interface ConvergentCall<T> {
  /** For the status, such as `chunk 3 of 50`. */
  name: string;
  /** One attempt. */
  send(within: Within): Promise<T>;
  /** Called when the outcome of an attempt is unknown. `at`: when the run stopped waiting for it. */
  onUnknownOutcome(reason: string, at: number): void;
  /** Waits before another attempt follows one of unknown outcome, where two may differ. */
  beforeRepeat?(): Promise<void>;
  /** Called when an attempt was not sent; another one follows. */
  onNotSent(reason: string): void;
}

export interface Answered<T> {
  answer: T;
  /** How often the call may have been carried out. */
  attempts: number;
}

/**
 * Sends until the API answers. After a lost answer it sends again: for a call that converges, this is
 * cheaper than a read-back and proves the same. The caller makes sure that nobody else writes in between
 * (`takeTurn`), also while an attempt without an answer may still arrive. Each attempt is shielded from
 * cancellation. The run blocks on problems that need a person; a definite no is thrown.
 */
export async function sendUntilAnswered<T>(
  run: Run,
  call: ConvergentCall<T>,
): Promise<Answered<T>> {
  const pause = createPause(run, {
    name: `the API to take ${call.name}`,
    type: 'list of the API',
  });
  const sent: Sent = { attempts: 0, metDefect: false };
  return repeatWhileBusy(run, {}, async (noteBusy) => {
    for (;;) {
      await run.controls.untilUnpaused();
      const attempt = await parkWhileBlocked(run, () => attemptOf(run, call, sent));
      const { attempts } = sent;
      if (attempt.kind === 'answered') return { answer: attempt.answer, attempts };
      if (attempt.kind === 'unknown') {
        call.onUnknownOutcome(attempt.reason, Date.now());
        await noteBusy(attempt);
        await pause();
        await call.beforeRepeat?.();
      } else {
        sent.attempts -= 1;
        call.onNotSent(attempt.reason);
        await noteBusy(attempt);
        await pause(undefined, attempt.waitMs);
      }
      run.ledger.setWaiting(undefined);
    }
  });
}

interface Sent {
  /** Attempts that may have been sent, the current one included. */
  attempts: number;
  metDefect: boolean;
}

/**
 * Throws what can be a problem that needs a person: a definite no, and a defect of the worker. The call may have been sent
 * all the same, so the next attempt follows one of unknown outcome.
 */
async function attemptOf<T>(run: Run, call: ConvergentCall<T>, sent: Sent) {
  if (sent.metDefect) await call.beforeRepeat?.();
  sent.metDefect = false;
  // It rests on no look: it writes the same at any time.
  const seenAt = Date.now();
  const attempt = await attemptOnce(run, { seenAt, send: (within) => call.send(within) });
  if (attempt.kind === 'rejected') throw attempt.error;
  sent.attempts += 1;
  if (attempt.kind === 'unknown' && attempt.defect !== undefined) {
    sent.metDefect = true;
    call.onUnknownOutcome(attempt.reason, Date.now());
    throw attempt.defect;
  }
  return attempt;
}
