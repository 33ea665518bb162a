import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import { classifyAttempt, type Unanswered } from './classify-attempt.js';

/** The outcome of one attempt: the API's answer, or why there is none. */
export type Attempt<T> = { kind: 'answered'; answer: T } | Unanswered;

/**
 * Makes one attempt of a mutation and waits for its outcome, shielded from cancellation. A run that
 * is ending makes no attempt, and takes back one that still waits for its turn: that was not sent.
 */
export async function attemptOnce<T>(send: () => Promise<T>): Promise<Attempt<T>> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  try {
    return { kind: 'answered', answer: await sendWithdrawable(send) };
  } catch (error) {
    return classifyAttempt(error);
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
