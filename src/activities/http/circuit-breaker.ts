import { FailureType } from '../../contract/failures.js';
import {
  createCircuit,
  isFailing,
  PROBE_MS,
  type BreakerState,
  type Circuit,
  type CircuitOptions,
} from './circuit.js';
import { circuitOf, describeCircuit } from './circuit-of.js';
import { createRetrySlots, type RetrySlots } from './retry-slots.js';
import { createKeyGate, type KeyGateOptions } from './refused-key.js';
import { isHeld, type Held, type Reply } from './reply.js';
import { MAX_PAUSE_MS } from './request-budget.js';

export interface BreakersOptions extends CircuitOptions, KeyGateOptions {
  /** Longest wait of a call for the Retry-After of an outage. */
  maxPauseMs?: number;
  /** The request budget of the account. Calls that were held back return at a share of it. */
  requestsPerSecond?: number;
}

/**
 * The breakers of one account: one per API area, in the area `cloud` one per region, and a gate for its
 * key.
 */
export interface Breakers {
  /**
   * Makes the call unless it is known to fail: then nothing is sent, and the result is a failure that
   * says so.
   */
  run<T extends Reply>(path: string, call: () => Promise<T>, about?: Urgency): Promise<T | Held>;
  /** The account has another key: calls that were held back because of the former one go out. */
  keyReplaced(): void;
  /** The state of the breaker that a call of this path meets. */
  state(path: string): BreakerState;
}

export interface Urgency {
  /** An urgent call returns before the others. */
  urgent?: boolean;
}

/** Longest wait for a probe, in multiples of `probeMs`: a single call that returns is the next probe. */
const MAX_PROBE_WAIT_FACTOR = 1.2;
const REQUESTS_PER_SECOND = 10;
/** Share of the request budget for returning calls: 300 waiting runs return within 45 s, and other areas keep a third. */
const RETRY_SHARE = 2 / 3;

export function createBreakers(options: BreakersOptions = {}): Breakers {
  const { probeMs = PROBE_MS, requestsPerSecond = REQUESTS_PER_SECOND } = options;
  const { maxPauseMs = MAX_PAUSE_MS } = options;
  const key = createKeyGate(options);
  const createLine = (): RetrySlots =>
    createRetrySlots({
      minMs: probeMs * MAX_PROBE_WAIT_FACTOR,
      perSecond: requestsPerSecond * RETRY_SHARE,
    });
  const guards = new Map<string, Guard>();
  const guardOf = (path: string): Guard => {
    const name = circuitOf(path);
    const id = describeCircuit(name);
    const known = guards.get(id);
    if (known !== undefined) return known;
    const guard = { area: name.area, circuit: createCircuit(name, options), line: createLine() };
    guards.set(id, guard);
    return guard;
  };
  return {
    async run(path, call, { urgent = false } = {}) {
      const { area, circuit, line } = guardOf(path);
      const reply = await key.run(area, () => circuit.run(call));
      if (!getsRetrySlot(reply, circuit.state())) return reply;
      return withRetryAfter(reply, (asked) =>
        asked === undefined ? line.waitMs(urgent) : Math.min(asked, maxPauseMs),
      );
    },
    keyReplaced: () => {
      key.keyReplaced();
    },
    state: (path) => guardOf(path).circuit.state(),
  };
}

/** What stands before one part of the API. Calls that it held back return in a line of their own. */
interface Guard {
  area: string;
  circuit: Circuit;
  line: RetrySlots;
}

/**
 * Whether the breakers decide when a call returns. They do so for more than the calls that were held
 * back. Temporal's backoff counts the earlier times a call was held back, so a failed probe would wait
 * longer than the others. And a long Retry-After concerns all calls together: single ones still probe.
 */
function getsRetrySlot(reply: Reply | Held, state: BreakerState): boolean {
  // A refused key does not heal with time.
  if (isHeld(reply)) return reply.failure.type !== FailureType.unauthorized;
  return isFailing(reply) && state !== 'closed';
}

function withRetryAfter<T extends Reply>(reply: T, waitMs: (asked?: number) => number): T {
  if ('failure' in reply) {
    const retryAfterMs = waitMs(reply.failure.retryAfterMs);
    return { ...reply, failure: { ...reply.failure, retryAfterMs } };
  }
  return { ...reply, retryAfterMs: waitMs(reply.retryAfterMs) };
}
