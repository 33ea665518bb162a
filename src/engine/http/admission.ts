import { addJitter } from './deadline.js';

/** Who may send while a breaker is open. */
export interface Admission {
  /** Lets a call out as a probe, or not: it is then expected to ask again. */
  admits(caller: Asking): boolean;
  /** A call that was let out has ended. */
  ended(): void;
  isProbing(): boolean;
}

export interface Asking {
  /** Callers with one name share their turns. */
  name: string;
  /** Nothing like this call has failed: it shows best whether only the others are broken. */
  isFresh: boolean;
}

export interface AdmissionOptions {
  probeMs: number;
  now: () => number;
}

/** Fresh calls that go out at once: one that is answered ends the matter before a healthy run has waited. */
const FRESH_AT_ONCE = 3;
/** A name that has just probed rests one more interval for each other name that waits, up to this number. */
const MOST_OTHERS = 3;
/** A caller that does not ask again within this many probe intervals has gone away. */
const GONE_AFTER = 3;

/**
 * Lets one call out per probe interval. Names take turns, so that one broken thing that asks more often than
 * the others does not keep everything shut.
 */
export function createAdmission({ probeMs, now }: AdmissionOptions): Admission {
  // Jitter keeps several workers from probing in step. Each probe draws a new wait.
  const nextProbe = (): number => now() + addJitter(probeMs, Math.random());
  const probedAt = new Map<string, number>();
  const askedAt = new Map<string, number>();
  let [probeAt, freshLeft, probes] = [nextProbe(), FRESH_AT_ONCE, 0];

  const isTurnOf = (name: string): boolean => {
    const gone = now() - probeMs * GONE_AFTER;
    for (const [other, at] of askedAt) if (at < gone) askedAt.delete(other);
    const others = askedAt.size - (askedAt.has(name) ? 1 : 0);
    const restMs = probeMs * (1 + Math.min(others, MOST_OTHERS));
    return now() - (probedAt.get(name) ?? -Infinity) >= restMs;
  };
  const mayProbe = ({ name, isFresh }: Asking): boolean => {
    if (isFresh && freshLeft > 0) return true;
    return probes === 0 && now() >= probeAt && (isFresh || isTurnOf(name));
  };
  return {
    admits(caller) {
      if (!mayProbe(caller)) {
        askedAt.set(caller.name, now());
        return false;
      }
      if (caller.isFresh) freshLeft = Math.max(freshLeft - 1, 0);
      probes += 1;
      askedAt.delete(caller.name);
      probedAt.set(caller.name, now());
      return true;
    },
    ended() {
      probes -= 1;
      probeAt = nextProbe();
    },
    isProbing: () => probes > 0,
  };
}
