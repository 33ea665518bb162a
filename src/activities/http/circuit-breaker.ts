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
import { createThrottleGate, LONGEST_PAUSE_MS, type ThrottleOptions } from './throttled-account.js';

export interface BreakersOptions extends KeyGateOptions, ThrottleOptions {
  /** So many calls in a row without an answer, or with a 5xx, open the breaker of their area. */
  failures?: number;
  /** While it is open, one call at a time goes out as a probe, at most once in this time. */
  probeMs?: number;
  /** The request budget of the account: calls that are held back come again at a part of it. */
  requestsPerSecond?: number;
  /** An area stopped answering: told once for an outage. */
  onOpen?: (outage: Outage) => void;
  /** It answers again. */
  onClose?: (outage: Outage) => void;
}

export interface Outage {
  area: string;
  /** When the first of the failing calls ended. */
  since: Date;
}

/** The breakers of one account: one an API area, and a gate each for its key and its rate. */
export interface Breakers {
  /**
   * Makes the call, unless it is known to be in vain: then the result is a failure that says so,
   * and nothing has been sent.
   */
  run<T extends Reply>(area: string, call: () => Promise<T>, about?: Urgency): Promise<T | Held>;
  state(area: string): BreakerState;
}

export interface Urgency {
  /** Comes back before the others. */
  urgent?: boolean;
}

export type BreakerState = 'closed' | 'open' | 'probing';

const FAILURES = 5;
const PROBE_MS = 5_000;
/** Longest wait for a probe, as a multiple of `probeMs`: a lone call that comes back is the next probe. */
const LONGEST_PROBE_WAIT = 1.2;
const REQUESTS_PER_SECOND = 10;
/** Of the request budget: 300 waiting runs are back within 45 s, and other areas keep a third. */
const COME_BACK_SHARE = 2 / 3;

/** The area of the API that a path belongs to, such as `cloud`. Each is a service of its own. */
export function areaOf(path: string): string {
  return path.split('/').find((segment) => segment !== '') ?? '';
}

export function createBreakers(options: BreakersOptions = {}): Breakers {
  const { probeMs = PROBE_MS, requestsPerSecond = REQUESTS_PER_SECOND } = options;
  const { longestPauseMs = LONGEST_PAUSE_MS } = options;
  const key = createKeyGate(options);
  const throttle = createThrottleGate({ ...options, probeMs });
  const comeBack = createRetrySlots({
    leastMs: probeMs * LONGEST_PROBE_WAIT,
    perSecond: requestsPerSecond * COME_BACK_SHARE,
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
      if (!isInVain(reply, circuit.state())) return reply;
      return withWait(reply, (asked) =>
        asked === undefined ? comeBack.waitMs(urgent) : Math.min(asked, longestPauseMs),
      );
    },
    state: (area) => circuitOf(area).state(),
  };
}

const TOO_MANY_REQUESTS = 429;

/**
 * Whether it is said here when a call comes again. Not only of those that were held back: Temporal
 * would let a probe that failed wait longer than the others, for all the times that it was held back
 * before; and a long Retry-After is for all calls together, of which single ones go on asking.
 */
function isInVain(reply: Reply | Held, state: BreakerState): boolean {
  // A refused key is no matter of time.
  if (isHeld(reply)) return reply.failure.type !== FailureType.unauthorized;
  if ('status' in reply && reply.status === TOO_MANY_REQUESTS) return true;
  return isFailing(reply) && state !== 'closed';
}

function withWait<T extends Reply>(reply: T, waitMs: (asked?: number) => number): T {
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

/** The breaker of one area: cockatiel counts, opens and closes; what is a failure is said here. */
function createCircuit(area: string, options: BreakersOptions): Circuit {
  const policy = createPolicy(options);
  let failingSince: Date | undefined;
  let outage: Outage | undefined;
  /** Counts outages: a call that began before one says nothing about the time after it. */
  let era = 0;

  policy.onBreak(() => {
    // Also after each failed probe, which is no news.
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
      // Not left to cockatiel, which lets calls wait for the probe and then sends them all at once.
      if (policy.state === CircuitState.HalfOpen) return hold();
      if (policy.state === CircuitState.Open) return probe(policy, call, hold);
      const begun = era;
      // What is thrown (a cancelled activity) says nothing about the API.
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
  // Several workers must not probe in step. The wait is drawn anew after each failed probe.
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
      // Caught in here, because cockatiel takes what is thrown for a sign of health. A probe that
      // was cancelled has not shown any.
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
