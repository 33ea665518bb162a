import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import { classifyAttempt, type Unanswered } from './classify-attempt.js';

/** The outcome of one attempt: the API's answer, or why there is none. */
export type Attempt<T> = { kind: 'answered'; answer: T } | Unanswered;

/**
 * Makes one attempt of a mutation and waits for its outcome, shielded from cancellation. A run that
 * is ending makes no attempt.
 */
export async function attemptOnce<T>(send: () => Promise<T>): Promise<Attempt<T>> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  try {
    return { kind: 'answered', answer: await CancellationScope.nonCancellable(send) };
  } catch (error) {
    return classifyAttempt(error);
  }
}
