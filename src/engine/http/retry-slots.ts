import { performance } from 'node:perf_hooks';

export interface RetrySlotsOptions {
  /** Shortest wait. */
  minMs: number;
  /** Calls released per second. */
  perSecond: number;
  /** The monotonic clock: one that is set must not send calls away for hours. */
  now?: () => number;
}

/** Gives calls that were held back a time to return. */
export interface RetrySlots {
  /** Milliseconds from now. An urgent call waits the shortest time and takes no slot. */
  waitMs(urgent: boolean): number;
}

/**
 * Gives each call that is held back the next free slot. Each return of a call counts against the rate
 * limit of the task queue, even when the call is held back again. With a fixed wait, thousands of
 * waiting runs would use up this limit, and calls to a healthy area would wait behind them.
 */
export function createRetrySlots({
  minMs,
  perSecond,
  now: clock = () => performance.now(),
}: RetrySlotsOptions): RetrySlots {
  let nextAt = 0;
  return {
    waitMs(urgent) {
      const now = clock();
      if (urgent) return minMs;
      const at = Math.max(nextAt, now + minMs);
      nextAt = at + 1000 / perSecond;
      return Math.round(at - now);
    },
  };
}
