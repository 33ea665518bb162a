import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import { confirmTurns, doubtTurns } from '../run/confirm-turns.js';
import type { Run } from '../run/run-types.js';
import { classifyAttempt, type Unanswered } from './classify-attempt.js';

/** The outcome of one attempt: the API's answer, or why there is none. */
export type Attempt<T> = { kind: 'answered'; answer: T } | Unanswered;

const WAS_RESET = 'the run was reset, and reads again what it has read before';

/**
 * Makes one attempt of a mutation and waits for its outcome, shielded from cancellation. A run that
 * is ending makes no attempt, and takes back one that still waits for its turn: that was not sent.
 */
export async function attemptOnce<T>(
  run: Pick<Run, 'prepared' | 'turns'>,
  send: () => Promise<T>,
): Promise<Attempt<T>> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  if (await confirmTurns(run)) return { kind: 'not-sent', reason: WAS_RESET, waitMs: 0 };
  const { prepared } = run;
  const isWithdrawable = prepared.withdraws === true;
  try {
    const sent = isWithdrawable ? sendWithdrawable(send) : CancellationScope.nonCancellable(send);
    return { kind: 'answered', answer: await sent };
  } catch (error) {
    const unanswered = classifyAttempt(error);
    const resetTo = unanswered.kind === 'not-sent' ? unanswered.resetTo : undefined;
    if (resetTo === undefined) return unanswered;
    doubtTurns(run.turns, resetTo);
    await confirmTurns(run);
    return unanswered;
  }
}

/**
 * When the run is to end, it asks for the end of the activity. The activity decides: a call that was not
 * sent yet is not sent any more, and one that was is answered as if nobody had asked.
 * Async, because an await less may change the order of commands in an open run: docs/decisions/0044.
 */
async function sendWithdrawable<T>(send: () => Promise<T>): Promise<T> {
  return CancellationScope.cancellable(send);
}
