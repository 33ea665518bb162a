import { createAdmission, type Admission } from './admission.js';
import { Scope, type Out } from './area-health.js';
import type { CircuitName, Target } from './circuit-of.js';
import type { HeldBack, Outage } from './outage.js';
import { createRetrySlots, type RetrySlots } from './retry-slots.js';

export interface BreakerSetOptions {
  /** An open breaker sends one call as a probe, at most once in this time. */
  probeMs?: number;
  /** The request budget of the account. Calls that were held back return at a share of it. */
  requestsPerSecond?: number;
  /** A part of the API stopped answering. Called once per outage, and not for a single resource. */
  onOpen?: (outage: Outage) => void;
  /** It answers again. */
  onClose?: (outage: Outage) => void;
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
}

/** The open breakers of one area, or of one region of it. */
export interface BreakerSet {
  /** The widest one that a call to this target meets: it decides. */
  widest(target: Target): Breaker | undefined;
  /** Opens a breaker, if no wider one is open. */
  open(target: Target, out: Out): void;
  /** A call to this target that began at this time was answered. Returns what was closed. */
  close(target: Target, begunAt: number): readonly Breaker[];
  /** Drops the breakers of resources about which nothing is known any more. */
  forget(isKnown: (resource: string) => boolean): void;
}

const PROBE_MS = 5_000;
/** Longest wait for a probe, in multiples of `probeMs`: a single call that returns is the next probe. */
const MAX_PROBE_WAIT_FACTOR = 1.2;
const REQUESTS_PER_SECOND = 10;
/** Share of the request budget for returning calls: 300 waiting runs return within 45 s, and other areas keep a third. */
const RETRY_SHARE = 2 / 3;
const WIDEST_FIRST = [Scope.area, Scope.collection, Scope.resource] as const;

export function createBreakerSet(name: CircuitName, options: BreakerSetOptions): BreakerSet {
  const { onOpen, onClose, now } = options;
  const openOnes = new Map<string, Breaker>();
  const of = (target: Target): Breaker[] =>
    WIDEST_FIRST.flatMap((scope) => openOnes.get(keyOf(scope, target)) ?? []);
  return {
    widest: (target) => of(target)[0],
    open(target, { scope, begunAt }) {
      const [widest] = of(target);
      const rank = (of: Scope): number => WIDEST_FIRST.indexOf(of);
      if (widest !== undefined && rank(widest.scope) <= rank(scope)) return;
      const since = new Date(Date.now() - (now() - begunAt));
      const heldBack = { ...name, ...partOf(scope, target), since };
      openOnes.set(keyOf(scope, target), { scope, heldBack, ...createHold(options) });
      if (scope !== Scope.resource) onOpen?.(heldBack);
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

function createHold({
  probeMs = PROBE_MS,
  requestsPerSecond = REQUESTS_PER_SECOND,
  now,
}: BreakerSetOptions): Pick<Breaker, 'admission' | 'line' | 'openedAt'> {
  return {
    admission: createAdmission({ probeMs, now }),
    line: createRetrySlots({
      minMs: probeMs * MAX_PROBE_WAIT_FACTOR,
      perSecond: requestsPerSecond * RETRY_SHARE,
      now,
    }),
    openedAt: now(),
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
