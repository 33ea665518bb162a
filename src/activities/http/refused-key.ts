import { FailureType } from '../../contract/failures.js';
import { createGate, type Gate } from './gate.js';
import { isoSeconds, type Held } from './reply.js';

export interface KeyGateOptions {
  /** While the key is refused, one call per this time tests whether it is valid again. */
  keyProbeMs?: number;
  /** The API answered 401. Called once, however many calls follow. */
  onKeyRefused?: (since: Date) => void;
  /** A call succeeded again. */
  onKeyAccepted?: (since: Date) => void;
}

const KEY_PROBE_MS = 60_000;
const UNAUTHORIZED = 401;

/**
 * Stops the calls of an account whose key the API refuses, in all areas: a refused key is one
 * problem of one person, not a failed request of every run. A probe's success opens the gate.
 */
export function createKeyGate(options: KeyGateOptions = {}): Gate {
  const { keyProbeMs = KEY_PROBE_MS, onKeyRefused, onKeyAccepted } = options;
  return createGate({
    shuts: ({ status }) => status === UNAUTHORIZED,
    opens: ({ status }) => status >= 200 && status < 300,
    pauseMs: () => keyProbeMs,
    hold,
    onShut: onKeyRefused,
    onOpen: onKeyAccepted,
  });
}

function hold(since: Date): Held {
  return {
    held: true,
    failure: {
      type: FailureType.unauthorized,
      message: `was not sent: the API has refused the key of this account since ${isoSeconds(since)}`,
      details: {},
    },
  };
}
