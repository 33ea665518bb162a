import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

import type { Within } from '../run/proxied.js';
import type { PauseState } from '../run/pause-state.js';
import { confirmTurns, doubtTurns } from '../run/confirm-turns.js';
import type { Run } from '../run/run-types.js';
import { classifyAttempt, type NotSent, type Unanswered } from './classify-attempt.js';

/** The outcome of one attempt: the API's answer, or why there is none. */
export type Attempt<T> = { kind: 'answered'; answer: T } | Unanswered;

/** One attempt of a change. */
export interface Sending<T> {
  /** When what the change rests on was so, in milliseconds since the epoch. */
  seenAt: number;
  send(within: Within): Promise<T>;
}

/**
 * Makes one attempt of a change and waits for its outcome. This is the only way to send, because only here are the
 * options that a change needs (`Within`):
 * - A run that is ending makes no attempt. A paused one makes none, and looks again when it goes on.
 * - What rests on a look goes out only while the look is fresh: the server itself ends what no worker has taken by
 *   then, and the run looks again.
 * - A pause and an end take back a call that still waits: the activity decides. A call that was sent is answered as
 *   if nobody had asked.
 */
export async function attemptOnce<T>(
  run: Pick<Run, 'controls' | 'freshness' | 'prepared' | 'turns'>,
  sending: Sending<T>,
): Promise<Attempt<T>> {
  const { controls, freshness, turns } = run;
  const wasPaused = controls.pause.isPaused();
  if (wasPaused) await controls.untilUnpaused();
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('cancelled before the call was sent');
  }
  if (wasPaused) return OUTDATED;
  if (turns.doubted.size > 0) {
    await confirmTurns(run);
    return WAS_RESET;
  }
  // From the look at the pause to the call nothing is awaited: another pause would go unseen.
  const left = freshness.leftOf(sending.seenAt);
  if (left <= 0) {
    freshness.missed();
    return OUTDATED;
  }
  try {
    const answer = await untilPaused(controls.pause, () =>
      sending.send({ scheduleToStartTimeout: left }),
    );
    freshness.taken();
    return { kind: 'answered', answer };
  } catch (error) {
    const attempt = classifyAttempt(error);
    const isMiss = attempt.kind === 'not-sent' && attempt.isStale === true;
    if (isMiss) freshness.missed();
    else freshness.taken();
    if (attempt.kind === 'not-sent' && attempt.resetTo !== undefined) {
      doubtTurns(run.turns, attempt.resetTo);
      await confirmTurns(run);
    }
    return attempt;
  }
}

const WAS_RESET: NotSent = {
  kind: 'not-sent',
  reason: 'the run was reset, and reads again what it has read before',
  waitMs: 0,
};

const OUTDATED: NotSent = {
  kind: 'not-sent',
  reason: 'what the run had seen was no longer fresh: it looks again',
  waitMs: 0,
  isStale: true,
};

/** A pause takes back what still waits. */
function untilPaused<T>(
  { onPause }: Pick<PauseState, 'onPause'>,
  send: () => Promise<T>,
): Promise<T> {
  return CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    const stop = onPause(() => {
      scope.cancel();
    });
    try {
      return await send();
    } finally {
      stop();
    }
  });
}
