import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { FailureType } from '../../contract/failures.js';
import type { Held } from './reply.js';
import { addJitter } from './retry-after.js';

export interface RequestBudgetOptions {
  perSecond: number;
  /** So many requests may go out at once after an idle time; a second's worth. */
  burst?: number;
  /** A request that would have to wait longer is given up. */
  longestWaitMs?: number;
}

/** What this process may send for one account. */
export interface RequestBudget {
  /**
   * Resolves when the request may be sent: with nothing, or at once with a failure when that would
   * take too long; then nothing is sent. Rejects with the reason of `cancelled`.
   */
  take(caller: BudgetCaller): Promise<Held | undefined>;
}

interface BudgetCaller {
  cancelled: AbortSignal;
  /** Goes before all that wait, which then wait longer; up to a second's worth of requests. */
  urgent?: boolean;
}

/** With the HTTP timeout of 15 s it must stay below the 20 s that an activity has. */
const LONGEST_WAIT_MS = 3_000;

/**
 * A token bucket: in any time of n seconds at most n + 1 seconds' worth of requests goes out, and
 * n + 2 with urgent ones, which may be taken in advance. The rate limit of the task queue paces activities, but not the watcher, and lets bursts through.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { perSecond, longestWaitMs = LONGEST_WAIT_MS } = options;
  const { burst = Math.max(perSecond, 1) } = options;
  const everyMs = 1000 / perSecond;
  const aheadMs = (burst - 1) * everyMs;
  /** When all that was let out would have gone out at an even pace. */
  let evenAt = 0;

  return {
    async take({ cancelled, urgent = false }) {
      const now = performance.now();
      const at = Math.max(evenAt, now);
      const waitMs = at - (urgent ? aheadMs + burst * everyMs : aheadMs) - now;
      if (waitMs > longestWaitMs) return giveUp(waitMs);
      evenAt = at + everyMs;
      if (waitMs > 0) await wait(waitMs, cancelled);
      return undefined;
    },
  };
}

async function wait(ms: number, cancelled: AbortSignal): Promise<void> {
  try {
    await delay(Math.ceil(ms), undefined, { signal: cancelled });
  } catch {
    // A cancelled activity must end as cancelled: the SDK recognises its own reason.
    throw cancelled.reason;
  }
}

function giveUp(waitMs: number): Held {
  return {
    held: true,
    failure: {
      type: FailureType.rateLimited,
      message: `was not sent: the request budget of this account is used up for ${Math.ceil(waitMs / 1000)} s`,
      details: {},
      retryAfterMs: addJitter(waitMs, Math.random()),
    },
  };
}
