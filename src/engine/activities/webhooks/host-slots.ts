import { setTimeout as delay } from 'node:timers/promises';

/** Limits how many calls go to one host at a time. */
export interface HostSlots {
  /** Waits for a slot. False: none was free in time. */
  take: (host: string, waitMs: number) => Promise<boolean>;
  free: (host: string) => void;
}

interface Host {
  taken: number;
  /** Calls that wait, in order. */
  waiting: Set<() => void>;
}

export function createHostSlots(perHost: number): HostSlots {
  const hosts = new Map<string, Host>();
  return {
    async take(name, waitMs) {
      const host = hosts.get(name) ?? { taken: 0, waiting: new Set() };
      hosts.set(name, host);
      if (host.taken >= perHost) return waitForSlot(host, waitMs);
      host.taken += 1;
      return true;
    },
    free(name) {
      const host = hosts.get(name);
      if (host === undefined) return;
      const [next] = host.waiting;
      // The slot passes on: a call that comes in between must not take it.
      if (next !== undefined) next();
      else host.taken -= 1;
      if (host.taken === 0) hosts.delete(name);
    },
  };
}

async function waitForSlot({ waiting }: Host, waitMs: number): Promise<boolean> {
  const stop = new AbortController();
  let isGiven = false;
  const give = (): void => {
    isGiven = true;
    waiting.delete(give);
    stop.abort();
  };
  waiting.add(give);
  // It rejects only when the slot is given.
  await delay(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
  waiting.delete(give);
  return isGiven;
}
