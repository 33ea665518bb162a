import type { RunRef, TurnEnd, TurnWish } from '../core/messages.js';

/** What a lock knows. `holdTurn` hears the messages, and does what `nextStep` says. */
export interface LockState {
  /** The first Run Id of the lock: messages name it, because another lock has the same Workflow Id later. */
  readonly lock: string;
  readonly holder: RunRef;
  /** When the turn was taken, in milliseconds since the epoch. */
  readonly since: number;
  /** Workflow Ids of the runs that wait, in order. */
  readonly line: readonly string[];
  /** Those of them that are still to learn who has the turn. */
  readonly unanswered: readonly string[];
  /** A run waits that has the Workflow Id of the holder: it may be the holder itself, after a reset. */
  readonly isDoubted: boolean;
  /** The holder is being asked: its server has not said yet whether it is open. */
  readonly isAsking: boolean;
  /** The holder is asked only after this time, in milliseconds since the epoch. */
  readonly nextAskAt: number;
  readonly end: TurnEnd | undefined;
}

/** What a lock does next. */
export type LockStep =
  /** It is over: call the next run, and close. */
  | { kind: 'close'; isCutShort: boolean }
  /** The holder has ended, and one of its calls may still arrive. */
  | { kind: 'keep'; ms: number }
  | { kind: 'ask' }
  | { kind: 'answer'; waiters: readonly string[] }
  | { kind: 'sleep' };

/** Maximum waiting runs that learn immediately who has the turn. The others learn it when they ask. */
const MAX_ANSWERED_AT_START = 20;

interface Begun extends Pick<LockState, 'lock' | 'holder' | 'since'> {
  waiters: readonly string[];
  isDoubted?: boolean;
}

export function beginLock({ lock, holder, since, waiters, isDoubted }: Begun): LockState {
  // The run may have been in line behind another one when it took the turn.
  const line = [...new Set(waiters)].filter((waiter) => waiter !== holder.workflowId);
  const unanswered = line.slice(0, MAX_ANSWERED_AT_START);
  const isQuiet = { isDoubted: false, isAsking: false, nextAskAt: 0, end: undefined };
  const begun = { lock, holder, since, line, unanswered, ...isQuiet };
  return isDoubted ? hearWish(begun, { waiter: holder.workflowId, behind: [] }) : begun;
}

export function hearWish(state: LockState, { waiter, behind }: TurnWish): LockState {
  const { workflowId } = state.holder;
  const others = behind.filter((one) => one !== workflowId);
  return {
    ...state,
    line: [...new Set([...state.line, waiter, ...others])],
    unanswered: [...new Set([...state.unanswered, waiter])],
    isDoubted: state.isDoubted || waiter === workflowId,
  };
}

/** The first end counts. Somebody may have ended the lock of that run by hand: then this is another one. */
export function hearEnd(state: LockState, end: TurnEnd): LockState {
  return end.lock === state.lock ? { ...state, end: state.end ?? end } : state;
}

export function nextStep({ end, unanswered, ...state }: LockState, now: number): LockStep {
  const keptMs = (end?.keptUntil ?? 0) - now;
  if (end !== undefined && keptMs <= 0) {
    return { kind: 'close', isCutShort: end.isCutShort === true };
  }
  if (unanswered.length === 0) {
    return end === undefined ? { kind: 'sleep' } : { kind: 'keep', ms: keptMs };
  }
  const isAskDue =
    end === undefined && !state.isAsking && (state.isDoubted || now >= state.nextAskAt);
  return isAskDue ? { kind: 'ask' } : { kind: 'answer', waiters: unanswered };
}

/** Asking costs the holder events, so the questions become rarer over time. */
const SHARE_OF_HELD = 0.02;
const ASK_AT_LEAST_EVERY_MS = 3_600_000;

export function noteAsking(state: LockState): LockState {
  return { ...state, isAsking: true, isDoubted: false };
}

/** The holder is open and has heard the question: if the turn is not its own, it says so. */
export function noteHeard(state: LockState, now: number): LockState {
  const everyMs = Math.min((now - state.since) * SHARE_OF_HELD, ASK_AT_LEAST_EVERY_MS);
  return { ...state, isAsking: false, nextAskAt: now + everyMs };
}

/** The holder is not open, and has not given its turn back. */
export function noteGone(state: LockState): LockState {
  return hearEnd(state, { lock: state.lock, isCutShort: true });
}

export function noteAnswered(state: LockState, waiters: readonly string[]): LockState {
  return { ...state, unanswered: state.unanswered.filter((one) => !waiters.includes(one)) };
}
