import { performance } from 'node:perf_hooks';

import type { Asking } from './admission.js';
import {
  afterCall,
  afterOutage,
  FAILURES,
  HEALTHY,
  isFresh,
  outScope,
  Scope,
  type AreaHealth,
} from './area-health.js';
import {
  createBreakerSet,
  type Breaker,
  type BreakerSetOptions,
  type RetrySlots,
} from './breaker-set.js';
import type { CircuitName, Target } from './api-description.js';
import { describeHeld, type Held, type Reply } from './reply.js';

export interface CircuitOptions extends Omit<BreakerSetOptions, 'now'> {
  /** Calls without an answer, or with a 5xx, since the last answer that open a breaker. */
  failures?: number;
  now?: () => number;
}

/** A call as its breakers see it. */
export interface Call extends Target {
  /** The run that makes it: the runs that want the same resource take turns. */
  caller?: string | undefined;
}

export interface Circuit {
  /** Makes the call, unless what it asks for is known not to answer: then the call is held. */
  run<T extends Reply>(about: Call, call: () => Promise<T>): Promise<T | Held>;
  state(target: Target): BreakerState;
  /** Where calls to this target queue up to return; `undefined` while nothing holds them back. */
  line(target: Target): RetrySlots | undefined;
}

export type BreakerState = 'closed' | 'open' | 'probing';

/**
 * The breakers of one area, or of one region of it: of the whole, of each collection and of each resource.
 * `area-health` says what opens them, `admission` which calls may probe.
 */
export function createCircuit(name: CircuitName, options: CircuitOptions = {}): Circuit {
  const { failures: mostFailures = FAILURES, now = () => performance.now() } = options;
  const breakers = createBreakerSet(name, { ...options, now });
  let health = HEALTHY;

  const judge = (about: Call, begunAt: number, hasFailed: boolean): void => {
    const endedAt = now();
    health = afterCall(health, { ...about, begunAt, endedAt, hasFailed });
    if (hasFailed) {
      const out = outScope(health, about, { now: endedAt, mostFailures });
      if (out !== undefined) breakers.open(about, out);
    } else {
      const closed = breakers.close(about, begunAt);
      health = closed.reduce(afterClosing, health);
    }
    breakers.forget((resource) => health.failing.has(resource));
  };
  return {
    async run(about, call) {
      const breaker = breakers.meet(about);
      const isAdmitted = breaker?.admission.admits(askingOf(health, about, breaker)) ?? true;
      if (breaker !== undefined && !isAdmitted) return describeHeld(breaker.heldBack);
      const begunAt = now();
      try {
        // A thrown error (a cancelled activity) says nothing about the API.
        const reply = await call();
        judge(about, begunAt, isFailing(reply));
        return reply;
      } finally {
        breaker?.admission.ended();
      }
    },
    state(target) {
      const breaker = breakers.widest(target);
      if (breaker === undefined) return 'closed';
      return breaker.admission.isProbing() ? 'probing' : 'open';
    },
    line: (target) => breakers.widest(target)?.line,
  };
}

function afterClosing(health: AreaHealth, { scope, heldBack }: Breaker): AreaHealth {
  return scope === Scope.resource ? health : afterOutage(health, heldBack.collection);
}

/** Paths take turns; where a single resource does not answer, the runs that want it do. */
function askingOf(health: AreaHealth, about: Call, { scope }: Breaker): Asking {
  const { resource, caller = '' } = about;
  return {
    name: scope === Scope.resource ? caller : resource,
    isFresh: isFresh(health, about, scope),
  };
}

const NOT_IMPLEMENTED = 501;

/**
 * No connection, no answer in time, a 5xx, or a page of a proxy that does not find the API. A refusal is a healthy
 * answer, and so is a 501: what answers it runs, and has no such function.
 */
export function isFailing(reply: Reply): boolean {
  if (!('status' in reply) || reply.isForeign === true) return true;
  return reply.status >= 500 && reply.status !== NOT_IMPLEMENTED;
}
