import { performance } from 'node:perf_hooks';

import { FailureType } from '../core/failures.js';
import { createLanes, type Lane } from './lanes.js';
import { createLearnedPace, type Pressure } from './learned-pace.js';
import { isHeld, isoSeconds, type Held, type Reply } from './reply.js';
import { addJitter } from './deadline.js';

export interface RequestBudgetOptions {
  perSecond: number;
  /**
   * Requests that may go out at once after an idle time; default one second's worth. Half of them are for
   * urgent calls.
   */
  burst?: number;
  /** The share of `perSecond` that this process may use now, in (0, 1]; default all of it. */
  share?: () => number;
  /** Longest obedience to a Retry-After. */
  maxPauseMs?: number;
  /** Called when the API allows much less or much more than at the last call. */
  onPace?: (pressure: Pressure) => void;
}

export interface BudgetPressure extends Pressure {
  /** Requests a second that this process may send by its configuration. */
  limit: number;
  /** Calls that wait for their permit. */
  waiting: number;
}

/** Limits the requests that this process sends for one account, and learns how many the API allows. */
export interface RequestBudget {
  /**
   * Resolves with a permit when the request may be sent, and with a failure after `patienceMs`: then the
   * request must not be sent. Rejects with the reason of `cancelled`.
   */
  take(caller: BudgetCaller): Promise<Permit | Held>;
  pressure(): BudgetPressure;
}

/** For one request. Must be given back in one of two ways. */
export interface Permit {
  answered(reply: Reply | Held): void;
  /** Nothing was sent. */
  unused(): void;
}

export interface BudgetCaller {
  cancelled: AbortSignal;
  lane?: Lane;
  /** The call changes something: it goes before the reads of its lane. */
  finishes?: boolean;
  /** Longest wait; default one minute. */
  patienceMs?: number;
}

/** 300 waiting calls are all sent within 2 minutes after the API accepts calls again. */
export const MAX_PAUSE_MS = 30_000;
const PATIENCE_MS = 60_000;
/** The share of this process may have grown meanwhile. */
const LOOK_AGAIN_MS = 1_000;
/** A request that goes out this part of a gap after its time was not held back by the pace. */
const LATE_SHARE = 0.5;
/**
 * The part of a burst that is kept for urgent requests: the five of an alert go out at once, whatever else
 * the account does.
 */
const URGENT_PART = 0.5;

/**
 * A token bucket: within any n seconds, at most n + 1 seconds' worth of requests goes out. The rate
 * limit of the task queue paces activities, but it does not pace the watcher and lets bursts through.
 * When the API answers 429, the bucket follows what the API allows, see `pace`.
 */
export function createRequestBudget(options: RequestBudgetOptions): RequestBudget {
  const bucket = createBucket(options);
  const waiting = createLanes<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  /** Releases the requests that may go now, and runs again when the next one may. */
  const release = (): void => {
    clearTimeout(timer);
    while (waiting.size > 0) {
      const waitMs = bucket.waitMs(performance.now(), waiting.hasUrgent);
      if (waitMs > 0) {
        // A worker that has nothing else to do any more need not wait for it.
        timer = setTimeout(release, Math.min(Math.ceil(waitMs), LOOK_AGAIN_MS)).unref();
        return;
      }
      waiting.next()?.settle(bucket.take(performance.now(), release));
    }
  };
  const pressure = (): BudgetPressure => ({ ...bucket.pressure(), waiting: waiting.size });

  return {
    pressure,
    async take({ cancelled, lane = 'normal', finishes = false, patienceMs = PATIENCE_MS }) {
      cancelled.throwIfAborted();
      const { waiter, settled } = createWaiter({
        cancelled,
        patienceMs,
        refuse: () => refuse(patienceMs, pressure()),
      });
      waiting.add(waiter, { lane, finishes });
      release();
      const permit = await settled;
      waiting.delete(waiter);
      // A cancelled activity must end as cancelled: the SDK recognises its own reason.
      if (cancelled.aborted && 'unused' in permit) permit.unused();
      cancelled.throwIfAborted();
      return permit;
    },
  };
}

/** A request that may not go out yet. */
interface Waiter {
  settle: (outcome: Permit | Held) => void;
}

interface WaiterOptions {
  cancelled: AbortSignal;
  patienceMs: number;
  refuse: () => Held;
}

function createWaiter({ cancelled, patienceMs, refuse }: WaiterOptions) {
  let settle: Waiter['settle'] = () => undefined;
  const settled = new Promise<Permit | Held>((resolve) => {
    const end = (): void => {
      settle(refuse());
    };
    const timer = setTimeout(end, patienceMs).unref();
    settle = (outcome) => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', end);
      resolve(outcome);
    };
    cancelled.addEventListener('abort', end);
  });
  const waiter: Waiter = {
    settle: (outcome) => {
      settle(outcome);
    },
  };
  return { waiter, settled };
}

/** All times are milliseconds of one monotonic clock. */
function createBucket(options: RequestBudgetOptions) {
  const { perSecond, burst = perSecond, share = () => 1 } = options;
  const { maxPauseMs = MAX_PAUSE_MS, onPace } = options;
  const pace = createLearnedPace({ perSecond, share, maxPauseMs, onPace });
  /** When the last released request would have gone out at an even pace. */
  let evenAt = -Infinity;
  const everyMs = (): number => 1000 / pace.rate();

  return {
    pressure: () => ({ ...pace.pressure(), limit: perSecond * share() }),
    /** Time until the next request may go out. */
    waitMs(now: number, isUrgent: boolean): number {
      const most = burst * share() * (isUrgent ? 1 : 1 - URGENT_PART);
      const atOnce = Math.max(pace.isEven(now) ? 1 : most, 1) - 1;
      const dueAt = Math.max(evenAt + everyMs(), now) - atOnce * everyMs();
      return Math.max(dueAt, pace.pausedUntil()) - now;
    },
    take(now: number, onChange: () => void): Permit {
      const dueAt = evenAt + everyMs();
      const isPaced = now <= dueAt + everyMs() * LATE_SHARE;
      evenAt = Math.max(dueAt, now);
      const unused = (): void => {
        evenAt -= everyMs();
        onChange();
      };
      return {
        unused,
        answered: (reply) => {
          if (isHeld(reply)) {
            unused();
            return;
          }
          pace.learn(reply, { sentAt: now, isPaced });
          onChange();
        },
      };
    },
  };
}

function refuse(patienceMs: number, { perSecond, since, waiting }: BudgetPressure): Held {
  const cause =
    since === undefined
      ? 'the request budget of this account is used up'
      : `the API allows about ${roughly(perSecond)} requests a second, with 429 since ${isoSeconds(since)}`;
  const lineMs = Math.min((waiting * 1000) / perSecond, MAX_PAUSE_MS);
  return {
    held: true,
    failure: {
      type: FailureType.rateLimited,
      message: `was not sent: it has waited for ${Math.ceil(patienceMs / 1000)} s; ${cause}`,
      details: {},
      notSent: 'rate',
      retryAfterMs: addJitter(lineMs, Math.random()),
    },
  };
}

/** Two digits: 0.47, 2.3, 10. */
export function roughly(perSecond: number): number {
  return Number(perSecond.toPrecision(2));
}
