import { performance } from 'node:perf_hooks';

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
  /** Goes before all that wait and are not. */
  urgent?: boolean;
}

/** Somebody whose request may not go out yet. */
interface Waiter {
  /** When it has waited too long, because urgent ones came in between. */
  until: number;
  settle: (held?: Held) => void;
}

/** With the HTTP timeout of 15 s it must stay below the 20 s that an activity has. */
const LONGEST_WAIT_MS = 3_000;
/** Timers are late, and urgent requests come in between. */
const LATE_MS = 1_000;

/**
 * A token bucket: in any time of n seconds at most n + 1 seconds' worth of requests goes out. The
 * rate limit of the task queue paces activities, but not the watcher, and lets bursts through.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const { longestWaitMs = LONGEST_WAIT_MS } = options;
  const bucket = createBucket(options);
  const waiting = { urgent: new Set<Waiter>(), usual: new Set<Waiter>() };
  let timer: NodeJS.Timeout | undefined;

  /** Lets out who may go, and looks again when the next one may. */
  const letOut = (): void => {
    clearTimeout(timer);
    const now = performance.now();
    for (const waiter of waiting.usual) {
      if (waiter.until < now) waiter.settle(giveUp(bucket.waitMs(now)));
    }
    for (const waiter of [...waiting.urgent, ...waiting.usual]) {
      const waitMs = bucket.waitMs(now);
      if (waitMs > 0) {
        timer = setTimeout(letOut, Math.ceil(waitMs));
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
      if (waitMs > longestWaitMs) return giveUp(waitMs);
      const turn = waitIn(lane, { cancelled, until: now + longestWaitMs + LATE_MS });
      letOut();
      const held = await turn;
      // A cancelled activity must end as cancelled: the SDK recognises its own reason.
      cancelled.throwIfAborted();
      return held;
    },
  };
}

/** Times in milliseconds of one clock. */
function createBucket({ perSecond, burst = Math.max(perSecond, 1) }: RequestBudgetOptions) {
  const everyMs = 1000 / perSecond;
  /** When all that was let out would have gone out at an even pace. */
  let evenAt = 0;
  return {
    everyMs,
    /** How long until the next request may go out. */
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
