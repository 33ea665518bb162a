import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  type CircuitBreakerPolicy,
} from 'cockatiel';

import { FailureType } from '../../contract/failures.js';
import { createRetrySlots } from './retry-slots.js';
import { createKeyGate, type KeyGateOptions } from './refused-key.js';
import { isHeld, isoSeconds, type Held, type Reply } from './reply.js';
import { addJitter } from './retry-after.js';
import { createThrottleGate, MAX_PAUSE_MS, type ThrottleOptions } from './throttled-account.js';

export interface BreakersOptions extends KeyGateOptions, ThrottleOptions {
  /** Calls in a row without an answer, or with a 5xx, that open the breaker of their area. */
  failures?: number;
  /** While the breaker is open, it sends one call as a probe, at most once in this time. */
  probeMs?: number;
  /** The request budget of the account. Calls that were held back return at a share of it. */
  requestsPerSecond?: number;
  /** An area stopped answering. Called once per outage. */
  onOpen?: (outage: Outage) => void;
  /** The area answers again. */
  onClose?: (outage: Outage) => void;
}

export interface Outage {
  area: string;
  /** When the first of the failing calls ended. */
  since: Date;
}

/** The breakers of one account: one per API area, and one gate each for its key and its rate. */
export interface Breakers {
  /**
   * Makes the call unless it is known to fail: then nothing is sent, and the result is a failure that
   * says so.
   */
  run<T extends Reply>(area: string, call: () => Promise<T>, about?: Urgency): Promise<T | Held>;
  state(area: string): BreakerState;
}

export interface Urgency {
  /** An urgent call returns before the others. */
  urgent?: boolean;
}

export type BreakerState = 'closed' | 'open' | 'probing';

const FAILURES = 5;
const PROBE_MS = 5_000;
/** Longest wait for a probe, in multiples of `probeMs`: a single call that returns is the next probe. */
const MAX_PROBE_WAIT_FACTOR = 1.2;
const REQUESTS_PER_SECOND = 10;
/** Share of the request budget for returning calls: 300 waiting runs return within 45 s, and other areas keep a third. */
const RETRY_SHARE = 2 / 3;

/** The area of the API that a path belongs to, such as `cloud`. Each area is a separate service. */
export function areaOf(path: string): string {
  return path.split('/').find((segment) => segment !== '') ?? '';
}

export function createBreakers(options: BreakersOptions = {}): Breakers {
  const { probeMs = PROBE_MS, requestsPerSecond = REQUESTS_PER_SECOND } = options;
  const { maxPauseMs = MAX_PAUSE_MS } = options;
  const key = createKeyGate(options);
  const throttle = createThrottleGate({ ...options, probeMs });
  const retrySlots = createRetrySlots({
    minMs: probeMs * MAX_PROBE_WAIT_FACTOR,
    perSecond: requestsPerSecond * RETRY_SHARE,
  });
  const circuits = new Map<string, Circuit>();
  const circuitOf = (area: string): Circuit => {
    const known = circuits.get(area);
    if (known !== undefined) return known;
    const circuit = createCircuit(area, options);
    circuits.set(area, circuit);
    return circuit;
  };
  return {
    async run(area, call, { urgent = false } = {}) {
      const circuit = circuitOf(area);
      const reply = await key.run(() => throttle.run(() => circuit.run(call)));
      if (!getsRetrySlot(reply, circuit.state())) return reply;
      return withRetryAfter(reply, (asked) =>
        asked === undefined ? retrySlots.waitMs(urgent) : Math.min(asked, maxPauseMs),
      );
    },
    state: (area) => circuitOf(area).state(),
  };
}

const TOO_MANY_REQUESTS = 429;

/**
 * Whether the breakers decide when a call returns. They do so for more than the calls that were held
 * back. Temporal's backoff counts the earlier times a call was held back, so a failed probe would wait
 * longer than the others. And a long Retry-After concerns all calls together: single ones still probe.
 */
function getsRetrySlot(reply: Reply | Held, state: BreakerState): boolean {
  // A refused key does not heal with time.
  if (isHeld(reply)) return reply.failure.type !== FailureType.unauthorized;
  if ('status' in reply && reply.status === TOO_MANY_REQUESTS) return true;
  return isFailing(reply) && state !== 'closed';
}

function withRetryAfter<T extends Reply>(reply: T, waitMs: (asked?: number) => number): T {
  if ('failure' in reply) {
    const retryAfterMs = waitMs(reply.failure.retryAfterMs);
    return { ...reply, failure: { ...reply.failure, retryAfterMs } };
  }
  return { ...reply, retryAfterMs: waitMs(reply.retryAfterMs) };
}

interface Circuit {
  run<T extends Reply>(call: () => Promise<T>): Promise<T | Held>;
  state(): BreakerState;
}

/** The breaker of one area. cockatiel counts, opens and closes; `isFailing` says what counts as a failure. */
function createCircuit(area: string, options: BreakersOptions): Circuit {
  const policy = createPolicy(options);
  let failingSince: Date | undefined;
  let outage: Outage | undefined;
  /** Counts outages: the reply to a call that began before an outage says nothing about the area after it. */
  let era = 0;

  policy.onBreak(() => {
    // cockatiel also calls this after each failed probe: the same outage goes on.
    if (outage !== undefined) return;
    era += 1;
    outage = { area, since: failingSince ?? new Date() };
    options.onOpen?.(outage);
  });
  policy.onReset(() => {
    const over = outage;
    outage = undefined;
    failingSince = undefined;
    if (over !== undefined) options.onClose?.(over);
  });

  const hold = (): Held => describeHeld(outage ?? { area, since: new Date() });
  const judge = <T extends Reply>(reply: T): Promise<T> => {
    failingSince = isFailing(reply) ? (failingSince ?? new Date()) : undefined;
    return policy.execute(() => reply);
  };

  return {
    async run(call) {
      // cockatiel itself would let calls wait for the probe and then send them all at once.
      if (policy.state === CircuitState.HalfOpen) return hold();
      if (policy.state === CircuitState.Open) return probe(policy, call, hold);
      const begun = era;
      // A thrown error (a cancelled activity) says nothing about the API.
      const reply = await call();
      return begun === era ? judge(reply) : reply;
    },
    state: () => STATES[policy.state],
  };
}

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'probing',
  [CircuitState.Isolated]: 'open',
};

function createPolicy({ failures, probeMs }: BreakersOptions): CircuitBreakerPolicy {
  // Jitter keeps several workers from probing in step. Each failed probe draws a new wait.
  const nextWait = () => ({
    duration: addJitter(probeMs ?? PROBE_MS, Math.random()),
    next: nextWait,
  });
  return circuitBreaker(handleWhenResult(isFailing), {
    breaker: new ConsecutiveBreaker(failures ?? FAILURES),
    halfOpenAfter: { next: nextWait },
  });
}

/** Sends the call when a probe is due. */
async function probe<T extends Reply>(
  policy: CircuitBreakerPolicy,
  call: () => Promise<T>,
  hold: () => Held,
): Promise<T | Held> {
  try {
    const outcome = await policy.execute(() =>
      // Caught here, because cockatiel takes a thrown error for a healthy call. A cancelled probe
      // has shown nothing.
      call().then(
        (reply) => ({ reply }),
        (thrown: unknown) => ({ thrown }),
      ),
    );
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.reply;
  } catch (error) {
    if (isBrokenCircuitError(error)) return hold();
    throw error;
  }
}

/** No connection, no answer in time, or a 5xx. A refusal is a healthy answer. */
function isFailing(outcome: unknown): boolean {
  if (typeof outcome !== 'object' || outcome === null || 'thrown' in outcome) return true;
  if ('reply' in outcome) return isFailing(outcome.reply);
  return !('status' in outcome && typeof outcome.status === 'number' && outcome.status < 500);
}

function describeHeld({ area, since }: Outage): Held {
  return {
    held: true,
    failure: {
      type: FailureType.serviceUnavailable,
      message: `was not sent: the API area ${area} has not answered since ${isoSeconds(since)}; calls wait`,
      details: {},
    },
  };
}
