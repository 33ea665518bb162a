import { FailureType } from '../../contract/failures.js';
import { createGate, type Gate } from './gate.js';
import { isoSeconds, type Held } from './reply.js';

export interface ThrottleOptions {
  /** Shortest pause; without a Retry-After it doubles with each further 429. */
  probeMs?: number;
  /** Longest pause, whatever Retry-After says: then one call probes for all. Default 30 s. */
  maxPauseMs?: number;
  /** The API answered 429. Called once, however many follow. */
  onThrottled?: (since: Date) => void;
  /** The API accepts calls again. */
  onUnthrottled?: (since: Date) => void;
}

const PROBE_MS = 5_000;
/** 300 waiting calls are all sent within 2 minutes after the throttling ends. */
export const MAX_PAUSE_MS = 30_000;
const TOO_MANY_REQUESTS = 429;
/** Lengthens a pause by up to this share of `probeMs`, so that several workers do not probe in step. */
const JITTER = 0.2;

/**
 * Stops the calls of an account after a 429: the API limits the key, so one answer holds for all
 * calls. The pause follows Retry-After, within bounds.
 */
export function createThrottleGate(options: ThrottleOptions = {}): Gate {
  const { probeMs = PROBE_MS, maxPauseMs = MAX_PAUSE_MS } = options;
  return createGate({
    shuts: ({ status }) => status === TOO_MANY_REQUESTS,
    // A 5xx has another cause and says nothing about the rate limit.
    opens: ({ status }) => status !== TOO_MANY_REQUESTS && status < 500,
    pauseMs: (refusals, answer) => {
      const asked = answer?.retryAfterMs ?? probeMs * 2 ** (refusals - 1);
      const pause = Math.min(Math.max(asked, probeMs), maxPauseMs);
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
      message: `was not sent: the API has rate-limited this account since ${isoSeconds(since)}; calls wait`,
      details: {},
    },
  };
}
