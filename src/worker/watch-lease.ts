import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { createIdentity } from './identity.js';
import { createLeaseCalls, type Heard, type WatchLeaseOptions } from './lease-calls.js';
import type { OpenRun } from './list-open-runs.js';

/** Tells the Temporal server that this process, which watches tasks, lives. */
export interface WatchLease {
  /** For the workers that watch, of all accounts of the process, and for no other. */
  readonly identity: string;
  /** A worker that watches. @param onLost its watches were given to others, because the server has not heard the process */
  join(onLost?: () => void): Watching;
}

export interface Watching {
  /** It has a watch. From the first one on, the process heartbeats. */
  hold(): void;
  /** A watch of this run has ended here. The server may not hear of it. */
  ended(run: OpenRun): void;
  /** It has none any more. After the last worker has left, no one takes over anything. */
  leave(): Promise<void>;
  /** It has failed, and what it had is to be taken over, although the process lives. */
  lose(error: unknown): Promise<void>;
}

/** Five fit into the heartbeat timeout of the lease. */
const BEAT_EVERY_MS = 3_000;
/** The SDK drops the end of an activity that does not reach the server for ten seconds. The server takes it for open then. */
const SURELY_HEARD_MS = 8_000;

/** A worker that is told to leave ends its watches in this time. */
const LEAVES_WITHIN_MS = 20_000;

/** One for all accounts of a process: it dies as a whole. */
export function createWatchLease(options: WatchLeaseOptions): WatchLease {
  const identity = createIdentity({ watches: false });
  const calls = createLeaseCalls(options, identity);
  const holding = new Map<Watching, () => void>();
  const ends = createEnds();
  let kept: Promise<void> | undefined;
  let left = new AbortController();
  /** False: the process has left before all that may be lost was repeated. */
  let repeated = Promise.resolve(true);
  const repeat = async (runs: readonly OpenRun[]): Promise<boolean> => {
    const { signal } = left;
    for (;;) {
      if (await calls.repeat(runs)) return true;
      if (signal.aborted) return false;
      await pause(BEAT_EVERY_MS, signal);
    }
  };
  /** Beside the heartbeats: there may be many. */
  const repeatLost = (sinceTime: number): void => {
    const runs = ends.since(sinceTime);
    repeated = repeated.then(async (isWhole) => (await repeat(runs)) && isWhole);
  };
  /** Until the last worker has left. Who leaves waits for this lease alone, not for one that another begins meanwhile. */
  const keep = async (): Promise<void> => {
    left = new AbortController();
    let known: Heard = 'unknown';
    let heardAt = performance.now();
    while (!left.signal.aborted) {
      const saidAt = performance.now();
      const heard = await calls.beat();
      if (heard !== 'nothing') {
        if (isLost(known, heard)) for (const onLost of holding.values()) onLost();
        // A lease that was just begun is unknown until a worker has taken it.
        if (heard !== 'unknown' || known === 'held') known = heard;
        if (performance.now() - heardAt > SURELY_HEARD_MS) repeatLost(heardAt);
        heardAt = saidAt;
      }
      await pause(BEAT_EVERY_MS, left.signal);
    }
    // Otherwise it runs out, and another process looks.
    if (await repeated) await calls.end();
    repeated = Promise.resolve(true);
    kept = holding.size > 0 ? keep() : undefined;
  };
  const join = (onLost = (): void => undefined): Watching => {
    const watching: Watching = {
      hold: () => {
        holding.set(watching, onLost);
        kept ??= keep();
      },
      ended: ends.note,
      leave: async () => {
        if (!holding.delete(watching)) return;
        // The server may not have heard the end of a watch that a leaving worker has ended.
        repeatLost(performance.now() - LEAVES_WITHIN_MS);
        if (holding.size > 0) return;
        left.abort();
        await kept;
      },
      lose: async (error) => {
        await calls.fail(error);
        await watching.leave();
      },
    };
    return watching;
  };
  return { identity, join };
}

function isLost(known: Heard, heard: Heard): boolean {
  return heard === 'begun' ? known !== 'unknown' : heard === 'unknown' && known === 'held';
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop, ref: false }).catch(() => undefined);
}

/** A longer silence ends the lease, and with it every watch. */
const REMEMBERED_MS = 60_000;

/** The runs of the watches that ended lately. */
function createEnds() {
  let ends: { run: OpenRun; at: number }[] = [];
  return {
    note: (run: OpenRun): void => {
      const now = performance.now();
      const [oldest] = ends;
      if (oldest !== undefined && now - oldest.at > 2 * REMEMBERED_MS) {
        ends = ends.filter(({ at }) => now - at <= REMEMBERED_MS);
      }
      ends.push({ run, at: now });
    },
    since: (time: number): OpenRun[] => ends.filter(({ at }) => at >= time).map(({ run }) => run),
  };
}
