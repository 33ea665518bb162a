import { performance } from 'node:perf_hooks';

import type { RateLimitAction } from './fault-rule.js';

export interface RateLimiter {
  /** Takes one token. Without one: the milliseconds until there is one. */
  take(): number;
}

/** A token bucket in real time, whatever the time scale of the simulated cloud. */
export function createRateLimiter(
  { perSecond, burst = 1 }: RateLimitAction,
  now: () => number = () => performance.now(),
): RateLimiter {
  if (!(perSecond > 0) || !(burst >= 1)) {
    throw new RangeError('a rate limit needs "perSecond" above 0 and "burst" from 1');
  }
  const everyMs = 1000 / perSecond;
  /** When the bucket will be full. */
  let fullAt = 0;
  return {
    take() {
      const at = now();
      const waitMs = Math.max(fullAt, at) - at - (burst - 1) * everyMs;
      if (waitMs > 0) return waitMs;
      fullAt = Math.max(fullAt, at) + everyMs;
      return 0;
    },
  };
}
