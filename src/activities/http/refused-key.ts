import { FailureType } from '../../contract/failures.js';
import { isoSeconds, type Held, type Reply } from './reply.js';

export interface KeyGateOptions {
  /** Once in this time one call goes out although the key is refused: it may be valid again. */
  keyProbeMs?: number;
  /** The API answered 401: told once, however many calls follow. */
  onKeyRefused?: (since: Date) => void;
  /** A call succeeded again. */
  onKeyAccepted?: (since: Date) => void;
}

export interface KeyGate {
  run<T extends Reply>(call: () => Promise<T | Held>): Promise<T | Held>;
}

interface Refusal {
  since: Date;
  probedAt: number;
  probing: boolean;
}

const KEY_PROBE_MS = 60_000;
const UNAUTHORIZED = 401;

/**
 * Stops the calls of an account whose key the API refuses, in all areas: a refused key is one
 * problem of one person, not a failed request of every run. The first call after `keyProbeMs`
 * goes out as a probe; its success opens the gate.
 */
export function createKeyGate(options: KeyGateOptions = {}): KeyGate {
  const { keyProbeMs = KEY_PROBE_MS } = options;
  let refusal: Refusal | undefined;

  return {
    async run(call) {
      const known = refusal;
      if (known === undefined) {
        const reply = await call();
        if (statusOf(reply) === UNAUTHORIZED && refusal === undefined) {
          const since = new Date();
          refusal = { since, probedAt: Date.now(), probing: false };
          options.onKeyRefused?.(since);
        }
        return reply;
      }
      if (known.probing || Date.now() - known.probedAt < keyProbeMs) return hold(known.since);
      const reply = await probe(known, call);
      // Only a probe opens the gate: an older call may have been let in before the key was revoked.
      if (isSuccess(statusOf(reply))) {
        refusal = undefined;
        options.onKeyAccepted?.(known.since);
      }
      return reply;
    },
  };
}

async function probe<R extends Reply | Held>(refusal: Refusal, call: () => Promise<R>): Promise<R> {
  const before = refusal.probedAt;
  refusal.probing = true;
  refusal.probedAt = Date.now();
  try {
    const reply = await call();
    // A breaker kept it back, so the key has not been tried.
    if ('held' in reply) refusal.probedAt = before;
    return reply;
  } finally {
    refusal.probing = false;
  }
}

function statusOf(reply: Reply): number | undefined {
  return 'status' in reply ? reply.status : undefined;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
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
