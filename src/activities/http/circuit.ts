import { performance } from 'node:perf_hooks';

import { FailureType } from '../../contract/failures.js';
import { describeCircuit, type CircuitName } from './circuit-of.js';
import { isoSeconds, type Held, type Reply } from './reply.js';
import { addJitter } from './retry-after.js';

export interface CircuitOptions {
  /** Calls in a row without an answer, or with a 5xx, that open the circuit. */
  failures?: number;
  /** While the circuit is open, it sends one call as a probe, at most once in this time. */
  probeMs?: number;
  /** The part of the API stopped answering. Called once per outage. */
  onOpen?: (outage: Outage) => void;
  /** It answers again. */
  onClose?: (outage: Outage) => void;
}

export interface Outage extends CircuitName {
  /** When the first of the failing calls ended. */
  since: Date;
}

export interface Circuit {
  /** Makes the call, unless this part of the API is known not to answer: then the call is held. */
  run<T extends Reply>(call: () => Promise<T>): Promise<T | Held>;
  state(): BreakerState;
}

export type BreakerState = 'closed' | 'open' | 'probing';

const FAILURES = 5;
export const PROBE_MS = 5_000;

/** The breaker of one part of the API; `isFailing` says what counts as a failure. */
export function createCircuit(name: CircuitName, options: CircuitOptions = {}): Circuit {
  const health = createHealth(name, options);
  return {
    async run(call) {
      if (health.state() !== 'closed') {
        return health.isProbeDue() ? probe(health, call) : describeHeld(health.outage());
      }
      const begun = health.era();
      // A thrown error (a cancelled activity) says nothing about the API.
      const reply = await call();
      if (begun === health.era()) health.judge(reply);
      return reply;
    },
    state: health.state,
  };
}

type Health = ReturnType<typeof createHealth>;

function createHealth(
  name: CircuitName,
  { failures: mostFailures = FAILURES, probeMs = PROBE_MS, onOpen, onClose }: CircuitOptions,
) {
  let state: BreakerState = 'closed';
  /** `probeAt` is monotonic: a clock that is set must not stop the probes. */
  let [failures, era, probeAt] = [0, 0, 0];
  let failingSince = new Date();
  const outage = (): Outage => ({ ...name, since: failingSince });
  const open = (): void => {
    state = 'open';
    // Jitter keeps several workers from probing in step. Each failed probe draws a new wait.
    probeAt = performance.now() + addJitter(probeMs, Math.random());
  };
  return {
    state: () => state,
    /** Counts outages: the reply to a call that began before an outage says nothing about the time after it. */
    era: () => era,
    outage,
    isProbeDue: () => state === 'open' && performance.now() >= probeAt,
    judge(reply: Reply): void {
      if (failures === 0) failingSince = new Date();
      failures = isFailing(reply) ? failures + 1 : 0;
      if (failures < mostFailures) return;
      era += 1;
      open();
      onOpen?.(outage());
    },
    beginProbe(): void {
      state = 'probing';
    },
    endProbe(isAnswered: boolean): void {
      if (!isAnswered) {
        open();
        return;
      }
      state = 'closed';
      failures = 0;
      onClose?.(outage());
    },
  };
}

async function probe<T extends Reply>(health: Health, call: () => Promise<T>): Promise<T> {
  health.beginProbe();
  let isAnswered = false;
  try {
    const reply = await call();
    isAnswered = !isFailing(reply);
    return reply;
  } finally {
    // A probe that was cancelled has shown nothing.
    health.endProbe(isAnswered);
  }
}

/** No connection, no answer in time, or a 5xx. A refusal is a healthy answer. */
export function isFailing(reply: Reply): boolean {
  return !('status' in reply && reply.status < 500);
}

function describeHeld({ since, ...name }: Outage): Held {
  return {
    held: true,
    failure: {
      type: FailureType.serviceUnavailable,
      message: `was not sent: the API area ${describeCircuit(name)} has not answered since ${isoSeconds(since)}; calls wait`,
      details: {},
      notSent: 'breaker',
    },
  };
}
