import { performance } from 'node:perf_hooks';

import type { TurnDetails } from '../schema/heartbeat-details.js';
import { isCancelRequest, isShutdown } from './deadline.js';
import { timeLeft, type CallContext, type CallObserver } from './call-context.js';
import {
  describeLate,
  describeStopping,
  describeWithdrawn,
  type ApiFailure,
  type RawAnswer,
} from './describe-failure.js';
import type { FreezeWatch } from './freeze-watch.js';
import { isHeld, type Held } from './reply.js';
import { roughly, type Permit, type RequestBudget } from './request-budget.js';

export interface Turns {
  /** Shared by all clients of the account in this process. Without a budget no call waits. */
  budget?: RequestBudget;
  /** Shared by all clients of this process. */
  freezes?: FreezeWatch;
  /**
   * What the server says of the running attempt of the activity. Without it a call that changes something
   * does not wait for long.
   */
  proveCurrent?: () => Promise<Standing>;
  observer?: CallObserver;
}

export const Standing = {
  /** The server waits for the attempt, and from now on for a whole heartbeat timeout. */
  current: 'current',
  /** The same, but the run has asked for its end. */
  cancelled: 'cancelled',
  /** The server does not wait for it any more, or does not answer. */
  unproven: 'unproven',
} as const;
export type Standing = (typeof Standing)[keyof typeof Standing];

/** One call, without its account. */
export interface TurnTaker {
  context: CallContext;
  /** It changes nothing: it may go out however late. */
  isRead: boolean;
  /** Time for one exchange. */
  timeoutMs: number;
  send: () => Promise<Reply>;
}

type Reply = RawAnswer | { failure: ApiFailure } | Held;

/**
 * A change that goes out so soon needs no proof. With an exchange of 15 s it ends 18 s after the begin of its
 * attempt, and 20 s after the end of its run at the latest (`MAX_CALL_MS`).
 */
const FREE_MS = 3_000;
/** After a proof, a call goes out within this time, or not. */
const PROOF_HOLDS_MS = 3_000;
/** An exchange and what follows it end before the attempt does. */
const SLACK_MS = 2_000;
/**
 * Patience of callers without an end, such as the watcher, and of changes: the run has looked before it
 * sends, and what it has seen must not be old.
 */
const LONGEST_WAIT_MS = 60_000;
const TELL_EVERY_MS = 2_000;
const TOO_MANY_REQUESTS = 429;

/**
 * Sends a call when its turn comes. After a 429 it was not carried out, so a read waits
 * for its next turn, as long as its attempt has time. The others return: their run looks again first,
 * because somebody else may have made the same meanwhile.
 *
 * A call that changes something must not go out after its run has ended: the next run of the request
 * counts on it. So a call that has waited goes out only within `PROOF_HOLDS_MS` after the server has
 * confirmed that it waits for this attempt. An exchange takes 15 s, so it ends 18 s after a time at which its
 * run was open. Nothing else in here depends on how long a call has waited.
 */
export async function sendInTurn(turns: Turns, taker: TurnTaker): Promise<Reply> {
  const { budget } = turns;
  if (budget === undefined) return (await refusalOf(turns, taker)) ?? sendNow(taker);
  for (;;) {
    const permit = await takePermit(budget, turns, taker);
    if ('held' in permit) return permit;
    const refusal = await refusalOf(turns, taker).catch(giveBack(permit));
    if (refusal !== undefined) {
      permit.unused();
      return refusal;
    }
    const reply = await sendNow(taker).catch(giveBack(permit));
    permit.answered(reply);
    const isSentAgain = isThrottled(reply) && taker.isRead;
    if (!isSentAgain || patienceOf(turns, taker) <= 0) return reply;
  }
}

function sendNow({ context, send }: TurnTaker): Promise<Reply> {
  context.onSend?.();
  return send();
}

/** Rethrows. A cancelled call may have been sent, but its answer says nothing about the pace. */
function giveBack(permit: Permit): (error: unknown) => never {
  return (error) => {
    permit.unused();
    throw error;
  };
}

function isThrottled(reply: Reply): boolean {
  return !isHeld(reply) && 'status' in reply && reply.status === TOO_MANY_REQUESTS;
}

/** Milliseconds that the call may still wait. */
function patienceOf({ proveCurrent }: Turns, { context, isRead, timeoutMs }: TurnTaker): number {
  const left = timeLeft(context) - timeoutMs - SLACK_MS;
  if (!isRead && proveCurrent === undefined) return Math.min(left, FREE_MS - age(context));
  return isRead && Number.isFinite(left) ? left : Math.min(left, LONGEST_WAIT_MS);
}

function age({ startedAt = performance.now() }: CallContext): number {
  return performance.now() - startedAt;
}

async function takePermit(
  budget: RequestBudget,
  turns: Turns,
  taker: TurnTaker,
): Promise<Permit | Held> {
  const { context, isRead } = taker;
  const { cancelled, lane = 'normal', onWait } = context;
  const begunAt = performance.now();
  const told = { any: false };
  const timer = setInterval(() => {
    told.any = true;
    onWait?.(detailsOf(budget));
  }, TELL_EVERY_MS);
  try {
    const patienceMs = Math.max(patienceOf(turns, taker), 0);
    return await budget.take({ cancelled, lane, finishes: !isRead, patienceMs });
  } catch (error) {
    // It was provably not sent. As cancelled, its outcome would count as unknown.
    if (!isRead && isShutdown(error)) return { held: true, failure: describeStopping() };
    if (isWithdrawn(taker)) return { held: true, failure: describeWithdrawn() };
    throw error;
  } finally {
    clearInterval(timer);
    turns.observer?.waited(lane, performance.now() - begunAt);
    if (told.any && !cancelled.aborted) onWait?.(undefined);
  }
}

/** Its run is to end, or is paused, and has asked for it back. A read ends as cancelled. */
function isWithdrawn({ context, isRead }: TurnTaker): boolean {
  return !isRead && isCancelRequest(context.cancelled);
}

function detailsOf(budget: RequestBudget): TurnDetails {
  const { perSecond, since, waiting } = budget.pressure();
  return {
    waitingFor: 'rate',
    perSecond: roughly(perSecond),
    ...(since && { since: since.toISOString() }),
    calls: waiting,
  };
}

/** Why a call must not go out, although it has its turn. */
async function refusalOf(
  turns: Turns,
  taker: TurnTaker,
): Promise<{ failure: ApiFailure } | undefined> {
  if (taker.isRead) return undefined;
  if (isWithdrawn(taker)) return { failure: describeWithdrawn() };
  const standing = await standingOf(turns, taker);
  const isRequested = standing === Standing.cancelled;
  if (isRequested || isWithdrawn(taker)) return { failure: describeWithdrawn() };
  return standing === Standing.unproven ? { failure: describeLate() } : undefined;
}

/** `unproven`: nobody waits for it any more. The run looks for its effects already, and may send again. */
async function standingOf(
  { freezes, proveCurrent }: Turns,
  { context, timeoutMs }: TurnTaker,
): Promise<Standing> {
  const hasWaited = age(context) > FREE_MS;
  const isLate = (): boolean =>
    timeLeft(context) < (hasWaited ? timeoutMs : 0) || freezes?.hasJustWoken() === true;
  if (isLate()) return Standing.unproven;
  if (!hasWaited || proveCurrent === undefined) return Standing.current;
  const askedAt = performance.now();
  const standing = await proveCurrent();
  const isFresh = performance.now() - askedAt <= PROOF_HOLDS_MS;
  return isFresh && !isLate() ? standing : Standing.unproven;
}
