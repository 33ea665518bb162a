import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import type { Peers } from './peers.js';

/** Two, so that one may die and the other goes on at once. */
const WATCHERS = 2;
/** Longer than the server lists a process that has ended: then the ranks are right again. */
const STAND_IN_MS = 90_000;
/** Without an answer about the others, a process watches: rather one too many than none. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Which processes of an account watch its tasks: the two that started first, as far as the server knows. One
 * that it does not list as dead yet takes no watches: then another process stands in for a while.
 */
export interface Election {
  isElected: () => boolean;
  /** How many processes watch. */
  watchers: () => number;
  /**
   * Resolves when this process has been elected for a while, although the server knows it: processes that
   * start together learn of each other first.
   */
  settled: () => Promise<void>;
}

export interface ElectionOptions {
  peers: Pick<Peers, 'rank' | 'isListed' | 'candidates'>;
  /** Whether watches wait that nobody takes. */
  areLeft: () => boolean;
  /** For how long processes that start together learn of each other. */
  settleMs: number;
}

export function createElection({ peers, areLeft, settleMs }: ElectionOptions): Election {
  const { rank, isListed, candidates } = peers;
  const startedAt = performance.now();
  /** Missing while others watch. */
  let since: number | undefined;
  let standsInUntil = 0;
  const isPatient = (): boolean => performance.now() - startedAt < PATIENCE_MS;

  const standsIn = (): boolean => {
    const now = performance.now();
    if (now >= standsInUntil && areLeft()) standsInUntil = now + STAND_IN_MS;
    return now < standsInUntil;
  };
  const isElected = (): boolean => {
    const known = rank();
    const isFirst = known === undefined ? !isPatient() : known < WATCHERS;
    const elected = isFirst || (known !== undefined && standsIn());
    if (!elected) since = undefined;
    else if (isPatient() && !isListed()) since = performance.now();
    else since ??= performance.now();
    return elected;
  };
  const isSettled = (): boolean =>
    isElected() && since !== undefined && performance.now() - since >= settleMs;
  return {
    isElected,
    watchers: () => Math.min(candidates(), WATCHERS),
    settled: async () => {
      // A worker that has nothing else to do any more need not wait for it.
      while (!isSettled()) await delay(LOOK_EVERY_MS, undefined, { ref: false });
    },
  };
}
