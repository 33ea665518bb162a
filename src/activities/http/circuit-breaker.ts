import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  type CircuitBreakerPolicy,
} from 'cockatiel';

import { FailureType } from '../../contract/failures.js';
import { createKeyGate, type KeyGateOptions } from './refused-key.js';
import { isoSeconds, type Held, type Reply } from './reply.js';
import { addJitter } from './retry-after.js';

export interface BreakersOptions extends KeyGateOptions {
  /** So many calls in a row without an answer, or with a 5xx, open the breaker of their area. */
  failures?: number;
  /** While it is open, one call at a time goes out as a probe, at most once in this time. */
  probeMs?: number;
  /** A call that is held back is to come again after a random time between these two. */
  comeBackMs?: { least: number; most: number };
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

/** The breakers of one account: one an API area, and a gate for its key. */
export interface Breakers {
  /**
   * Makes the call, unless it is known to be in vain: then the result is a failure that says so,
   * and nothing has been sent.
   */
  run<T extends Reply>(area: string, call: () => Promise<T>): Promise<T | Held>;
  state(area: string): BreakerState;
}

export type BreakerState = 'closed' | 'open' | 'probing';

const FAILURES = 5;
const PROBE_MS = 5_000;
/** Three times as wide as the least wait, so that waiting runs come back one by one. */
const COME_BACK_MS = { least: 5_000, most: 15_000 };

/** The area of the API that a path belongs to, such as `cloud`. Each is a service of its own. */
export function areaOf(path: string): string {
  return path.split('/').find((segment) => segment !== '') ?? '';
}

export function createBreakers(options: BreakersOptions = {}): Breakers {
  const key = createKeyGate(options);
  const circuits = new Map<string, Circuit>();
  const circuitOf = (area: string): Circuit => {
    const known = circuits.get(area);
    if (known !== undefined) return known;
    const circuit = createCircuit(area, options);
    circuits.set(area, circuit);
    return circuit;
  };
  return {
    run: (area, call) => key.run(() => circuitOf(area).run(call)),
    state: (area) => circuitOf(area).state(),
  };
}

interface Circuit {
  run<T extends Reply>(call: () => Promise<T>): Promise<T | Held>;
  state(): BreakerState;
}

/** The breaker of one area: cockatiel counts, opens and closes; what is a failure is said here. */
function createCircuit(area: string, options: BreakersOptions): Circuit {
  const policy = createPolicy(options);
  const { least, most } = options.comeBackMs ?? COME_BACK_MS;
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

  const hold = (): Held =>
    describeHeld(outage ?? { area, since: new Date() }, least + Math.random() * (most - least));
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

function describeHeld({ area, since }: Outage, waitMs: number): Held {
  return {
    held: true,
    failure: {
      type: FailureType.serviceUnavailable,
      message: `was not sent: the API area ${area} has not answered since ${isoSeconds(since)}; calls wait`,
      details: {},
      retryAfterMs: Math.round(waitMs),
    },
  };
}
