import type { PollPolicy, TypicalDuration } from './run-policy.js';

export interface PollState {
  /** A task type, or the name of another wait of the policy's table. */
  type: string;
  /** Time waited so far; 0 before the first look. */
  elapsedMs: number;
  /** In [0, 1). `Math.random` of a workflow is seeded, so a replay gets the same value. */
  random: number;
}

/** A look comes up to a fifth earlier or later, so that runs started together do not look together. */
const JITTER_SHARE = 0.2;

export function typicalDuration(type: string, policy: PollPolicy): TypicalDuration {
  return policy.typical[type] ?? policy.otherwise;
}

/**
 * Milliseconds until the next look. The first look comes near the typical duration of the type, later
 * looks after a share of the time waited so far, always between `minMs` and `maxMs`. So a long task
 * is polled less and less often, and its end is noticed late by about that share of its duration.
 */
export function pollDelay({ type, elapsedMs, random }: PollState, policy: PollPolicy): number {
  const { firstMs, shareOfElapsed = policy.shareOfElapsed } = typicalDuration(type, policy);
  const base = elapsedMs === 0 ? firstMs : elapsedMs * shareOfElapsed;
  const jittered = base * (1 + (random * 2 - 1) * JITTER_SHARE);
  return Math.round(Math.min(Math.max(jittered, policy.minMs), policy.maxMs));
}
