import { performance } from 'node:perf_hooks';

import { isHeld, type Answered, type Held, type Reply } from './reply.js';

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
export function createGate(rules: GateRules): Gate {
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
