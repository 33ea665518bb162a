import { performance } from 'node:perf_hooks';

import { FailureType } from '../../contract/failures.js';
import type { Held } from './reply.js';
import { addJitter } from './retry-after.js';

export interface RequestBudgetOptions {
  perSecond: number;
  /** Requests that may go out at once after an idle time; default one second's worth. */
  burst?: number;
  /** A request that would have to wait longer is not sent. */
  maxWaitMs?: number;
}

/** Limits the requests that this process sends for one account. */
export interface RequestBudget {
  /**
   * Resolves with nothing when the request may be sent. Resolves with a failure when the wait would
   * be too long: then the request must not be sent. Rejects with the reason of `cancelled`.
   */
  take(caller: BudgetCaller): Promise<Held | undefined>;
}

interface BudgetCaller {
  cancelled: AbortSignal;
  /** An urgent request goes before all usual ones. */
  urgent?: boolean;
}

/** A request that may not go out yet. */
interface Waiter {
  /** After this time it is refused: urgent requests went before it for too long. */
  until: number;
  settle: (held?: Held) => void;
}

/** Together with the HTTP timeout of 15 s this must stay below the 20 s of an activity. */
const MAX_WAIT_MS = 3_000;
/** Extra time for late timers and for urgent requests in between. */
const TIMER_SLACK_MS = 1_000;

/**
 * A token bucket: within any n seconds, at most n + 1 seconds' worth of requests goes out. The rate
 * limit of the task queue paces activities, but it does not pace the watcher and lets bursts through.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { maxWaitMs = MAX_WAIT_MS } = options;
  const bucket = createBucket(options);
  const waiting = { urgent: new Set<Waiter>(), usual: new Set<Waiter>() };
  let timer: NodeJS.Timeout | undefined;

  /** Releases the requests that may go now, and runs again when the next one may. */
  const release = (): void => {
    clearTimeout(timer);
    const now = performance.now();
    for (const waiter of waiting.usual) {
      if (waiter.until < now) waiter.settle(budgetUsedUp(bucket.waitMs(now)));
    }
    for (const waiter of [...waiting.urgent, ...waiting.usual]) {
      const waitMs = bucket.waitMs(now);
      if (waitMs > 0) {
        timer = setTimeout(release, Math.ceil(waitMs));
        return;
      }
      bucket.take(now);
      waiter.settle();
    }
  };

  return {
    async take({ cancelled, urgent = false }) {
      cancelled.throwIfAborted();
      const lane = urgent ? waiting.urgent : waiting.usual;
      const now = performance.now();
      const before = waiting.urgent.size + (urgent ? 0 : waiting.usual.size);
      const waitMs = bucket.waitMs(now) + before * bucket.everyMs;
      if (waitMs > maxWaitMs) return budgetUsedUp(waitMs);
      const turn = waitIn(lane, { cancelled, until: now + maxWaitMs + TIMER_SLACK_MS });
      release();
      const held = await turn;
      // A cancelled activity must end as cancelled: the SDK recognises its own reason.
      cancelled.throwIfAborted();
      return held;
    },
  };
}

/** All times are milliseconds of one clock. */
function createBucket({ perSecond, burst = Math.max(perSecond, 1) }: RequestBudgetOptions) {
  const everyMs = 1000 / perSecond;
  /** When all released requests would have gone out at an even pace. */
  let evenAt = 0;
  return {
    everyMs,
    /** Time until the next request may go out. */
    waitMs: (now: number): number => Math.max(evenAt, now) - (burst - 1) * everyMs - now,
    take: (now: number): void => {
      evenAt = Math.max(evenAt, now) + everyMs;
    },
  };
}

function waitIn(
  lane: Set<Waiter>,
  { cancelled, until }: { cancelled: AbortSignal; until: number },
): Promise<Held | undefined> {
  return new Promise((resolve) => {
    const settle = (held?: Held): void => {
      lane.delete(waiter);
      cancelled.removeEventListener('abort', abort);
      resolve(held);
    };
    const abort = (): void => {
      settle();
    };
    const waiter: Waiter = { until, settle };
    lane.add(waiter);
    cancelled.addEventListener('abort', abort);
  });
}

function budgetUsedUp(waitMs: number): Held {
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
