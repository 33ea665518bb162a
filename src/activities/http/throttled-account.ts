import { FailureType } from '../../contract/failures.js';
import { createGate, type Gate } from './gate.js';
import { isoSeconds, type Held } from './reply.js';

export interface ThrottleOptions {
  /** Shortest pause; without a Retry-After it doubles with each further 429. */
  probeMs?: number;
  /** Longest pause, whatever Retry-After says: one call asks again then, for all; 30 s. */
  longestPauseMs?: number;
  /** The API answered 429: told once, however many follow. */
  onThrottled?: (since: Date) => void;
  /** It takes calls again. */
  onUnthrottled?: (since: Date) => void;
}

const PROBE_MS = 5_000;
/** With the time that 300 calls in line take, all are on their way within 2 minutes of the end. */
export const LONGEST_PAUSE_MS = 30_000;
const TOO_MANY_REQUESTS = 429;
/** Up to this share of `probeMs` longer: several workers must not probe in step. */
const JITTER = 0.2;

/**
 * Stops the calls of an account that the API finds too many: a 429 is about the key, so what one
 * call was told holds for all. The pause is what Retry-After asks for, within bounds.
 */
export function createThrottleGate(options: ThrottleOptions = {}): Gate {
  const { probeMs = PROBE_MS, longestPauseMs = LONGEST_PAUSE_MS } = options;
  return createGate({
    shuts: ({ status }) => status === TOO_MANY_REQUESTS,
    // A 5xx comes from another cause, and says nothing about this one.
    opens: ({ status }) => status !== TOO_MANY_REQUESTS && status < 500,
    pauseMs: (refusals, answer) => {
      const asked = answer?.retryAfterMs ?? probeMs * 2 ** (refusals - 1);
      const pause = Math.min(Math.max(asked, probeMs), longestPauseMs);
      return pause + Math.random() * JITTER * probeMs;
    },
    hold,
    onShut: options.onThrottled,
    onOpen: options.onUnthrottled,
  });
}

function hold(since: Date): Held {
  return {
    held: true,
    failure: {
      type: FailureType.rateLimited,
      message: `was not sent: the API has found the calls of this account too many since ${isoSeconds(since)}; calls wait`,
      details: {},
    },
  };
}
