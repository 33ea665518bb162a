import { performance } from 'node:perf_hooks';

import {
  followLimit,
  isSlowed,
  learnPace,
  SLOWEST,
  startPace,
  type Pace,
  type PaceLimits,
} from './pace.js';
import type { Reply } from './reply.js';

/** How the requests of an account are held back. */
export interface Pressure {
  /** Requests a second that go out. */
  perSecond: number;
  /** When the API began to answer 429; `undefined` while it allows the configured rate. */
  since: Date | undefined;
}

export interface LearnedPaceOptions extends Omit<PaceLimits, 'slowest'> {
  /** The part of the configured rate for this process: it changes with the number of processes. */
  share: () => number;
  /** Called when the API allows much less or much more than at the last call. */
  onPace: ((pressure: Pressure) => void) | undefined;
}

/** What a process has learned about the rate that the API allows for an account. */
export interface LearnedPace {
  /** Requests a second. */
  rate(): number;
  /** Nothing goes out before, by the monotonic clock. */
  pausedUntil(): number;
  /** No requests go out together. */
  isEven(now: number): boolean;
  learn(reply: Reply, sent: { sentAt: number; isPaced: boolean }): void;
  pressure(): Pressure;
}

/** For this long after a 429, requests go out one after another, even when the configured rate allows several at once. */
const EVEN_MS = 5 * 60_000;
/** The pace is told when it has changed by this factor. */
const ORDER = 4;
const TOO_MANY_REQUESTS = 429;

export function createLearnedPace({ share, onPace, ...all }: LearnedPaceOptions): LearnedPace {
  const limitsNow = (): PaceLimits => {
    const part = share();
    return { ...all, perSecond: all.perSecond * part, slowest: SLOWEST * part };
  };
  let limits = limitsNow();
  let pace = startPace(limits);
  let since: Date | undefined;
  /** The rate that was told last. */
  let told = pace.rate;
  const current = (): Pace => {
    const next = limitsNow();
    if (next.perSecond !== limits.perSecond) pace = followLimit(pace, limits, next);
    limits = next;
    return pace;
  };
  const pressure = (): Pressure => ({ perSecond: current().rate, since });

  const tell = (): void => {
    const isBack = !isSlowed(pace, limits);
    const isNews = isBack || since === undefined;
    if (!isNews && pace.rate < told * ORDER && pace.rate > told / ORDER) return;
    since = isBack ? undefined : (since ?? new Date());
    told = pace.rate;
    onPace?.(pressure());
  };

  return {
    rate: () => current().rate,
    pausedUntil: () => pace.pausedUntil,
    isEven: (now) => now - (pace.slowedAt ?? -Infinity) < EVEN_MS || isSlowed(current(), limits),
    learn(reply, sent) {
      pace = learnFrom(current(), reply, { sent, limits });
      if (since !== undefined || isSlowed(pace, limits)) tell();
    },
    pressure,
  };
}

function learnFrom(
  pace: Pace,
  reply: Reply,
  { sent, limits }: { sent: { sentAt: number; isPaced: boolean }; limits: PaceLimits },
): Pace {
  if (!('status' in reply)) return pace;
  const at = performance.now();
  const { status, retryAfterMs } = reply;
  if (status === TOO_MANY_REQUESTS) {
    return learnPace(pace, { kind: 'throttled', ...sent, at, retryAfterMs }, limits);
  }
  // A 5xx has another cause and says nothing about the rate.
  return status < 500 ? learnPace(pace, { kind: 'answered', ...sent, at }, limits) : pace;
}
