import { performance } from 'node:perf_hooks';

import { FailureType } from '../core/failures.js';
import { isHeld, isoSeconds, type Answered, type Held, type Reply } from './reply.js';

/** Rules that shut and open the gate of an account. */
export interface GateRules {
  /** Whether an answer shuts the gate, or keeps it shut. */
  shuts: (answer: Answered) => boolean;
  /** Whether an answer to a probe opens it. */
  opens: (answer: Answered) => boolean;
  /** Milliseconds until the next probe, after this number of refusals in a row. */
  pauseMs: (refusals: number, answer?: Answered) => number;
  /** The result of a call that meets a shut gate. */
  hold: (since: Date) => Held;
  onShut: ((since: Date) => void) | undefined;
  onOpen: ((since: Date) => void) | undefined;
}

export interface Gate {
  run<T extends Reply>(call: () => Promise<T | Held>): Promise<T | Held>;
  /** What shut the gate is over. Answers to calls that are under way do not shut it again. */
  reopen(): void;
}

interface Shut {
  since: Date;
  refusals: number;
  /** When the next probe may go out, by the monotonic clock: a clock that is set must not stop the probes. */
  until: number;
  probing: boolean;
}

/**
 * One answer that concerns all calls of an account stops them all. The first call after a pause goes
 * out as a probe: its answer decides whether the others may follow.
 */
function createGate(rules: GateRules): Gate {
  let shut: Shut | undefined;
  let reopened = 0;

  return {
    async run(call) {
      const known = shut;
      if (known === undefined) {
        const before = reopened;
        const reply = await call();
        const isNews = shut === undefined && reopened === before;
        if (isNews && isAnswer(reply) && rules.shuts(reply)) shut = shutBy(rules, reply);
        return reply;
      }
      if (known.probing || performance.now() < known.until) return rules.hold(known.since);
      const reply = await probe(rules, known, call);
      // Only a probe opens the gate: an older call may have passed before it was shut.
      if (shut === known && isAnswer(reply) && rules.opens(reply)) {
        shut = undefined;
        rules.onOpen?.(known.since);
      }
      return reply;
    },
    reopen() {
      shut = undefined;
      reopened += 1;
    },
  };
}

function shutBy({ pauseMs, onShut }: GateRules, reply: Answered): Shut {
  const shut = {
    since: new Date(),
    refusals: 1,
    probing: false,
    until: performance.now() + pauseMs(1, reply),
  };
  onShut?.(shut.since);
  return shut;
}

async function probe<R extends Reply | Held>(
  rules: GateRules,
  shut: Shut,
  call: () => Promise<R>,
): Promise<R> {
  const before = shut.until;
  shut.probing = true;
  shut.until = performance.now() + rules.pauseMs(shut.refusals);
  try {
    const reply = await call();
    if (isHeld(reply)) {
      // Another gate held the call back, so this probe has tried nothing.
      shut.until = before;
    } else if (isAnswer(reply) && rules.shuts(reply)) {
      shut.refusals += 1;
      shut.until = performance.now() + rules.pauseMs(shut.refusals, reply);
    }
    return reply;
  } finally {
    shut.probing = false;
  }
}

function isAnswer(reply: Reply): reply is Answered {
  return 'status' in reply;
}

export interface KeyGateOptions {
  /** While an area refuses the key, one call per this time tests whether it is valid again. */
  keyProbeMs?: number;
  /** An area answered 401. Called once, however many calls follow. */
  onKeyRefused?: (refusal: KeyRefusal) => void;
  /** A call to the area was answered as one with a valid key. */
  onKeyAccepted?: (refusal: KeyRefusal) => void;
}

export interface KeyRefusal {
  area: string;
  since: Date;
}

export interface KeyGate {
  run<T extends Reply>(area: string, call: () => Promise<T | Held>): Promise<T | Held>;
  /** The account has another key: nobody has refused that one. */
  keyReplaced(): void;
}

const KEY_PROBE_MS = 60_000;
const UNAUTHORIZED = 401;
/**
 * Refusals that come after the key was accepted: they concern the request. A 408, 425 or 429 may come from
 * what stands before the API.
 */
const PAST_THE_KEY: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 422]);

/**
 * Stops the calls to the areas that refuse the key of an account: a refused key is one problem of one
 * person, not a failed request of every run. A 401 says nothing about another area, so the next call
 * to that one finds out. The API has a handful of areas: a revoked key costs one answer of each.
 */
export function createKeyGate(options: KeyGateOptions = {}): KeyGate {
  const gates = new Map<string, Gate>();
  return {
    run: (area, call) => {
      const gate = gates.get(area) ?? createAreaGate(area, options);
      gates.set(area, gate);
      return gate.run(call);
    },
    keyReplaced: () => {
      for (const gate of gates.values()) gate.reopen();
    },
  };
}

/** A probe opens the gate when its answer is one to a valid key. */
function createAreaGate(
  area: string,
  { keyProbeMs = KEY_PROBE_MS, onKeyRefused, onKeyAccepted }: KeyGateOptions,
): Gate {
  return createGate({
    shuts: ({ status }) => status === UNAUTHORIZED,
    opens: ({ status, isForeign }) =>
      isForeign !== true && ((status >= 200 && status < 300) || PAST_THE_KEY.has(status)),
    pauseMs: () => keyProbeMs,
    hold: (since) => hold({ area, since }),
    onShut: (since) => onKeyRefused?.({ area, since }),
    onOpen: (since) => onKeyAccepted?.({ area, since }),
  });
}

function hold({ area, since }: KeyRefusal): Held {
  return {
    held: true,
    failure: {
      type: FailureType.unauthorized,
      message: `was not sent: the API area ${area} has refused the key of this account since ${isoSeconds(since)}`,
      details: {},
      notSent: 'key',
    },
  };
}
