import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import { classifyAttempt, type Attempt } from './classify-attempt.js';

/** What came of one attempt: the API's answer, or why there is none. */
export type Answer<T> = { kind: 'answered'; answer: T } | Exclude<Attempt, { kind: 'accepted' }>;

/**
 * One attempt of a mutation, carried to a known end: shielded from cancellation. A run that is being
 * ended begins none.
 */
export async function attemptOnce<T>(send: () => Promise<T>): Promise<Answer<T>> {
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  try {
    return { kind: 'answered', answer: await CancellationScope.nonCancellable(send) };
  } catch (error) {
    return classifyAttempt(error);
  }
}
