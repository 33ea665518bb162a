import { performance } from 'node:perf_hooks';

import { createAdmission, type Admission } from './admission.js';
import { Scope, type Out } from './area-health.js';
import type { CircuitName, Target } from './api-description.js';
import type { HeldBack, Outage } from './reply.js';

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
function createRetrySlots({
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

export interface BreakerSetOptions {
  /** An open breaker sends one call as a probe, at most once in this time. */
  probeMs?: number;
  /** The request budget of the account. Calls that were held back return at a share of it. */
  requestsPerSecond?: number;
  /** A part of the API stopped answering. Called once per outage, and not for a single resource. */
  onOpen?: (outage: Outage) => void;
  /** It answers again. */
  onClose?: (outage: Outage) => void;
  /** Nobody has asked for it any more, so whether it answers is not known. Called instead of `onClose`. */
  onForget?: (outage: Outage) => void;
  /** After this time without a call, an open breaker says nothing about now. */
  idleMs?: number;
  /** The monotonic clock: one that is set must not stop the probes. */
  now: () => number;
}

export interface Breaker {
  scope: Scope;
  heldBack: HeldBack;
  admission: Admission;
  /** Where the calls that it holds back queue up to return. */
  line: RetrySlots;
  openedAt: number;
  /** When a call last met it. */
  askedAt: number;
}

/** The open breakers of one area, or of one region of it. */
export interface BreakerSet {
  /** The widest one that a call to this target meets: it decides. The call counts as one that asks. */
  meet(target: Target): Breaker | undefined;
  /** The same, without a call. */
  widest(target: Target): Breaker | undefined;
  /** Opens a breaker, if no wider one is open. */
  open(target: Target, out: Out): void;
  /** A call to this target that began at this time was answered. Returns what was closed. */
  close(target: Target, begunAt: number): readonly Breaker[];
  /** Drops the breakers of resources about which nothing is known any more. */
  forget(isKnown: (resource: string) => boolean): void;
}

const PROBE_MS = 5_000;
/** The runs that waited may have been aborted, and an alert must not last for ever. */
const IDLE_MS = 10 * 60_000;
/** Longest wait for a probe, in multiples of `probeMs`: a single call that returns is the next probe. */
const MAX_PROBE_WAIT_FACTOR = 1.2;
const REQUESTS_PER_SECOND = 10;
/** Share of the request budget for returning calls: 300 waiting runs return within 45 s, and other areas keep a third. */
const RETRY_SHARE = 2 / 3;
const WIDEST_FIRST = [Scope.area, Scope.collection, Scope.resource] as const;
const rank = (scope: Scope): number => WIDEST_FIRST.indexOf(scope);

export function createBreakerSet(name: CircuitName, options: BreakerSetOptions): BreakerSet {
  const { onOpen, onClose, onForget, now } = options;
  const openOnes = new Map<string, Breaker>();
  const of = (target: Target): Breaker[] =>
    WIDEST_FIRST.flatMap((scope) => openOnes.get(keyOf(scope, target)) ?? []);
  return {
    widest: (target) => of(target)[0],
    meet(target) {
      const met = of(target);
      for (const breaker of met) breaker.askedAt = now();
      return met[0];
    },
    open(target, { scope, begunAt }) {
      const [widest] = of(target);
      if (widest !== undefined && rank(widest.scope) <= rank(scope)) return;
      const since = new Date(Date.now() - (now() - begunAt));
      const heldBack = { ...name, ...partOf(scope, target), since };
      const [key, breaker] = [keyOf(scope, target), { scope, heldBack, ...createHold(options) }];
      openOnes.set(key, breaker);
      if (scope === Scope.resource) return;
      onOpen?.(heldBack);
      afterIdleTime(breaker, options, () => {
        if (openOnes.get(key) === breaker && openOnes.delete(key)) onForget?.(heldBack);
      });
    },
    close(target, begunAt) {
      // The answer to a call that began before an outage says nothing about the time after it.
      const closed = of(target).filter(({ openedAt }) => begunAt >= openedAt);
      for (const { scope, heldBack } of closed) {
        openOnes.delete(keyOf(scope, target));
        if (scope !== Scope.resource) onClose?.(heldBack);
      }
      return closed;
    },
    forget(isKnown) {
      for (const [key, { heldBack }] of openOnes) {
        if (heldBack.resource !== undefined && !isKnown(heldBack.resource)) openOnes.delete(key);
      }
    },
  };
}

function afterIdleTime(breaker: Breaker, options: BreakerSetOptions, act: () => void): void {
  const { idleMs = IDLE_MS, now } = options;
  const leftMs = breaker.askedAt + idleMs - now();
  if (leftMs <= 0) act();
  else setTimeout(afterIdleTime, leftMs, breaker, options, act).unref();
}

function createHold({
  probeMs = PROBE_MS,
  requestsPerSecond = REQUESTS_PER_SECOND,
  now,
}: BreakerSetOptions): Omit<Breaker, 'scope' | 'heldBack'> {
  return {
    admission: createAdmission({ probeMs, now }),
    line: createRetrySlots({
      minMs: probeMs * MAX_PROBE_WAIT_FACTOR,
      perSecond: requestsPerSecond * RETRY_SHARE,
      now,
    }),
    openedAt: now(),
    askedAt: now(),
  };
}

function partOf(scope: Scope, { collection, resource }: Target): Partial<Target> {
  if (scope === Scope.area) return {};
  return scope === Scope.collection ? { collection } : { resource };
}

function keyOf(scope: Scope, { collection, resource }: Target): string {
  if (scope === Scope.area) return scope;
  return `${scope} ${scope === Scope.collection ? collection : resource}`;
}
