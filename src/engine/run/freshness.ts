import type { RunPolicy } from '../core/run-policy.js';

/** How long what a run has seen counts as true, for a change that rests on it. */
const FRESH_MS = 30_000;

/** Each time in a row that no worker takes a change in time gives the next one four times as long. */
const GROWTH = 4;
/** Two hours: a queue that is so long moves all the same. */
const MOST_MISSES = 4;

export interface Freshness {
  /** Milliseconds in which a change that rests on a look of this time may still be taken by a worker. */
  leftOf(seenAt: number): number;
  /** A change was not taken in time. */
  missed(): void;
  /** A worker has taken the change. */
  taken(): void;
}

/**
 * A change that no worker takes while its look is fresh is not sent, and the run looks again. In a queue that is
 * longer than that, a run that looked again each time for the same short time would never send.
 */
export function createFreshness({ freshMs = FRESH_MS }: Pick<RunPolicy, 'freshMs'>): Freshness {
  let misses = 0;
  return {
    leftOf: (seenAt) => seenAt + freshMs * GROWTH ** misses - Date.now(),
    missed: () => {
      misses = Math.min(misses + 1, MOST_MISSES);
    },
    taken: () => {
      misses = 0;
    },
  };
}
