import {
  CancellationScope,
  CancelledFailure,
  ActivityFailure,
  TimeoutFailure,
  type ApplicationFailure,
} from '@temporalio/workflow';

import { FailureType, withoutAdvice } from '../core/failures.js';
import type { FirstLook, ReadsOfChange } from '../core/news.js';
import { confirmTurns, doubtTurns } from '../run/hear-turns.js';
import { detailsOf, failureOf, failureTypeOf, isTimeout } from '../run/failures.js';
import type { PauseState } from '../run/controls.js';
import type { Within } from '../run/activity-calls.js';
import type { ShownRead } from '../run/read-times.js';
import { againAfter } from '../run/reads-after.js';
import type { Run } from '../run/run-types.js';
import { lostCallsEndAt } from '../wait/wait-until.js';

/** The outcome of one attempt: the API's answer, or why there is none. */
export type Attempt<T> = { kind: 'answered'; answer: T } | Unanswered;

/** One attempt of a change. */
export interface Sending<T> {
  /** When what the change rests on was so, in milliseconds since the epoch. */
  seenAt: number;
  /** The look that the activity itself makes before it sends. */
  first?: FirstLook | undefined;
  /**
   * The reads of the look, where the next one follows as soon as the change is answered: its activity makes them again.
   * Left out where tasks follow.
   */
  again?: readonly ShownRead[] | undefined;
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
 * - A call of unknown outcome may arrive after its run has ended: no other run gets a turn of this one before that is
 *   impossible.
 */
export async function attemptOnce<T>(
  run: Pick<Run, 'controls' | 'freshness' | 'prepared' | 'turns'>,
  sending: Sending<T>,
): Promise<Attempt<T>> {
  const { controls, freshness, turns } = run;
  const { first } = sending;
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
  const left = first === undefined ? freshness.leftOf(sending.seenAt) : LOOKS_ITSELF_MS;
  if (left <= 0) {
    freshness.missed();
    return OUTDATED;
  }
  try {
    const answer = await untilPaused(controls.pause, () =>
      sending.send({ scheduleToStartTimeout: left, ...readsOf(sending) }),
    );
    freshness.taken();
    return { kind: 'answered', answer };
  } catch (error) {
    const attempt = classifyAttempt(error);
    if (attempt.kind === 'not-sent' && attempt.isStale === true) freshness.missed();
    else freshness.taken();
    await settleTurns(run, attempt);
    return attempt;
  }
}

/** What an attempt without an answer means for the turns of the run. */
async function settleTurns(
  run: Pick<Run, 'turns' | 'prepared'>,
  attempt: Unanswered,
): Promise<void> {
  if (attempt.kind === 'unknown') {
    const until = lostCallsEndAt(run, Date.now());
    for (const turn of run.turns.held.values()) turn.keepUntil(until);
  }
  if (attempt.kind === 'not-sent' && attempt.resetTo !== undefined) {
    doubtTurns(run.turns, attempt.resetTo);
    await confirmTurns(run);
  }
}

function readsOf({ first, again }: Pick<Sending<unknown>, 'first' | 'again'>): ReadsOfChange {
  const then = againAfter(again);
  return { ...(first && { first }), ...(then.length > 0 && { then }) };
}

/** What an activity sees itself cannot grow old in the queue. */
const LOOKS_ITSELF_MS = 3_600_000;

const WAS_RESET: NotSent = {
  kind: 'not-sent',
  reason: 'the run was reset, and reads again what it has read before',
  waitMs: 0,
};

/** Whoever tries again looks first. */
export const OUTDATED: NotSent = {
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

/** Why one attempt has no usable answer. */
export type Unanswered = Rejected | NotSent | UnknownOutcome;

/** The API said no. */
interface Rejected {
  kind: 'rejected';
  error: unknown;
}

/** Safe to send again. */
export interface NotSent {
  kind: 'not-sent';
  reason: string;
  /** How long the API asked to wait. */
  waitMs: number;
  /** What the API said, when something holds what the call needs (409). */
  busy?: string;
  /** Nobody took the call while the look that it rests on was fresh. */
  isStale?: true;
  /** The run was reset: its new Run Id. */
  resetTo?: string;
  /** Its own look has shown something of the request. */
  isThere?: true;
}

/** The call may have been carried out. */
export interface UnknownOutcome {
  kind: 'unknown';
  reason: string;
  /** The API has accepted the call. */
  isAccepted?: true;
  /** The failure, when the worker met a defect of its own: sending again would meet it again. */
  defect?: ApplicationFailure;
}

/** The call never left, or the API turned it away before doing anything. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  FailureType.serviceUnavailable,
  FailureType.rateLimited,
  FailureType.resourceBusy,
  // The worker could not even read what to send.
  FailureType.decryptionFailed,
]);

function isTurnedAway(type: FailureType | undefined): boolean {
  return type !== undefined && TURNED_AWAY.has(type);
}

/**
 * Classifies a failed attempt. A call may be sent again only when it provably never left or was turned
 * away unprocessed. A definite no is a failure of the run. Everything else is unknown.
 */
export function classifyAttempt(error: unknown): Unanswered {
  const type = failureTypeOf(error);
  const cause = failureOf(error);
  const reason = cause?.message ?? 'the attempt did not end in time, or its worker died';
  if (isTurnedAway(type)) return notSent(error, reason);
  if (isNotStarted(error)) {
    return { kind: 'not-sent', reason: 'the run took it back before a worker took it', waitMs: 0 };
  }
  if (isNotTaken(error)) return NOT_TAKEN;
  // It may have come after the call was sent.
  if (cause?.type === FailureType.defect) return { kind: 'unknown', reason, defect: cause };
  if (isUnclear(error)) return { kind: 'unknown', reason };
  if (type !== undefined) return { kind: 'rejected', error };
  if (error instanceof ActivityFailure) return { kind: 'unknown', reason };
  throw error;
}

function isUnclear(error: unknown): boolean {
  const type = failureTypeOf(error);
  return (
    type === FailureType.outcomeUnknown ||
    type === FailureType.unexpectedResponse ||
    isTimeout(error)
  );
}

function notSent(error: unknown, reason: string): NotSent {
  const waitMs = Number(failureOf(error)?.nextRetryDelay ?? 0);
  const { resetTo, isThere } = detailsOf(error);
  const why = { ...(resetTo !== undefined && { resetTo }), ...(isThere && { isThere }) };
  return { kind: 'not-sent', reason, waitMs, ...busyIn(error), ...why };
}

function busyIn(error: unknown): Pick<NotSent, 'busy'> {
  if (failureTypeOf(error) !== FailureType.resourceBusy) return {};
  return { busy: withoutAdvice(failureOf(error)?.message ?? '', detailsOf(error).advice) };
}

/** The server itself ends it, so no worker can take it any more. */
function isNotTaken(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

const NOT_TAKEN: NotSent = {
  kind: 'not-sent',
  reason: 'no worker took it while what the run had seen was fresh: it looks again',
  waitMs: 0,
  isStale: true,
};

/** The server says so of an activity that no worker has taken when its end is asked for. */
const NOT_STARTED = 'ACTIVITY_ID_NOT_STARTED';

function isNotStarted(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof CancelledFailure && cause.details.includes(NOT_STARTED);
}
