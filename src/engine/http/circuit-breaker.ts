import { FailureType } from '../core/failures.js';
import {
  createCircuit,
  isFailing,
  type BreakerState,
  type Circuit,
  type CircuitOptions,
} from './circuit.js';
import { describeCircuit, type CircuitName, type ApiDescription } from './api-description.js';
import { createKeyGate, type KeyGateOptions } from './refused-key.js';
import { isHeld, type Held, type Reply } from './reply.js';
import { MAX_PAUSE_MS } from './request-budget.js';

export interface BreakersOptions
  extends CircuitOptions, KeyGateOptions, Pick<ApiDescription, 'placeOf'> {
  /** Longest wait of a call for the Retry-After of an outage. */
  maxPauseMs?: number;
}

/** The breakers of one account: a circuit per API area, or per region of it, and a gate for its key. */
export interface Breakers {
  /**
   * Makes the call unless it is known to fail: then nothing is sent, and the result is a failure that
   * says so.
   */
  run<T extends Reply>(path: string, call: () => Promise<T>, about?: About): Promise<T | Held>;
  /** The account has another key: calls that were held back because of the former one go out. */
  keyReplaced(): void;
  /** The state of the breaker that a call of this path meets. */
  state(path: string): BreakerState;
}

export interface About {
  /** An urgent call returns before the others. */
  urgent?: boolean;
  /** The run that makes the call. */
  caller?: string | undefined;
}

export function createBreakers(options: BreakersOptions): Breakers {
  const { placeOf, maxPauseMs = MAX_PAUSE_MS } = options;
  const key = createKeyGate(options);
  const circuits = new Map<string, Circuit>();
  const circuitOf = (name: CircuitName): Circuit => {
    const id = describeCircuit(name);
    const circuit = circuits.get(id) ?? createCircuit(name, options);
    circuits.set(id, circuit);
    return circuit;
  };
  return {
    async run(path, call, { urgent = false, caller } = {}) {
      const { circuit: name, ...target } = placeOf(path);
      const circuit = circuitOf(name);
      // What holds a call back decides when it returns, even when it has ended meanwhile.
      const before = circuit.line(target);
      const reply = await key.run(name.area, () => circuit.run({ ...target, caller }, call));
      const line = circuit.line(target) ?? (isHeld(reply) ? before : undefined);
      if (line === undefined || !getsRetrySlot(reply)) return reply;
      return withRetryAfter(reply, (asked) =>
        asked === undefined ? line.waitMs(urgent) : Math.min(asked, maxPauseMs),
      );
    },
    keyReplaced: () => {
      key.keyReplaced();
    },
    state: (path) => {
      const { circuit, ...target } = placeOf(path);
      return circuitOf(circuit).state(target);
    },
  };
}

/**
 * Whether an open breaker decides when a call returns. They do so for more than the calls that were held
 * back. Temporal's backoff counts the earlier times a call was held back, so a failed probe would wait
 * longer than the others. And a long Retry-After concerns all calls together: single ones still probe.
 */
function getsRetrySlot(reply: Reply | Held): boolean {
  // A refused key does not heal with time.
  if (isHeld(reply)) return reply.failure.type !== FailureType.unauthorized;
  return isFailing(reply);
}

function withRetryAfter<T extends Reply>(reply: T, waitMs: (asked?: number) => number): T {
  if ('failure' in reply) {
    const retryAfterMs = waitMs(reply.failure.retryAfterMs);
    return { ...reply, failure: { ...reply.failure, retryAfterMs } };
  }
  return { ...reply, retryAfterMs: waitMs(reply.retryAfterMs) };
}
