export interface RetrySlotsOptions {
  /** Shortest wait. */
  leastMs: number;
  /** So many calls a second come again, however many wait. */
  perSecond: number;
}

/** Tells calls that were held back when to come again. */
export interface RetrySlots {
  /** Milliseconds from now. An urgent call waits the shortest time and takes nobody's place. */
  waitMs(urgent: boolean): number;
}

/**
 * Gives each call that is held back a place in one line. Every return of a call takes its share of
 * the queue's rate limit, even when it is held back again: with a fixed wait, thousands of waiting
 * runs would use up the limit for nothing, and calls to an area that works would wait behind them.
 */
export function createRetrySlots({ leastMs, perSecond }: RetrySlotsOptions): RetrySlots {
  let nextAt = 0;
  return {
    waitMs(urgent) {
      const now = Date.now();
      if (urgent) return leastMs;
      const at = Math.max(nextAt, now + leastMs);
      nextAt = at + 1000 / perSecond;
      return Math.round(at - now);
    },
  };
}
