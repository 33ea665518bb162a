import { FailureType } from '../core/failures.js';
import { createGate, type Gate } from './gate.js';
import { isoSeconds, type Held, type Reply } from './reply.js';

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
