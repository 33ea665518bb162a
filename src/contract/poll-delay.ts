import type { PollPolicy, TypicalDuration } from './run-policy.js';

export interface PollState {
  /** A task type, or the name of another wait of the policy's table. */
  type: string;
  /** Time waited so far; 0 before the first look. */
  elapsedMs: number;
  /** In [0, 1). A workflow's own `Math.random` is seeded, so a replay draws the same. */
  random: number;
}

/** Jitter: up to a fifth earlier or later, so that runs started together do not look together. */
const JITTER = 0.2;

export function typicalDuration(type: string, policy: PollPolicy): TypicalDuration {
  return policy.typical[type] ?? policy.otherwise;
}

/**
 * Milliseconds until the next look: first near the type's typical duration, then after a share
 * of the time waited so far, never below `minMs` nor above `maxMs`. A task that takes long is
 * asked less and less often, and the end is noticed late by about that share of its duration.
 */
export function pollDelay({ type, elapsedMs, random }: PollState, policy: PollPolicy): number {
  const { firstMs, shareOfElapsed = policy.shareOfElapsed } = typicalDuration(type, policy);
  const base = elapsedMs === 0 ? firstMs : elapsedMs * shareOfElapsed;
  const jittered = base * (1 + (random * 2 - 1) * JITTER);
  return Math.round(Math.min(Math.max(jittered, policy.minMs), policy.maxMs));
}
