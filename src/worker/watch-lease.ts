import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { createIdentity } from './identity.js';
import { createLeaseCalls, type LeaseCalls, type WatchLeaseOptions } from './lease-calls.js';

/** Tells the Temporal server that this process, which watches tasks, lives. */
export interface WatchLease {
  /** For a worker that is about to watch. Rejects when the Temporal server does not hear of it. */
  join(): Promise<Term>;
}

/** The time for which a worker watches. */
export interface Term {
  /** Signs its polls. Workers of other accounts of the process have the same, and no others. */
  readonly identity: string;
  /** False from the time on when the server may have given its watches to others: then it has to end. */
  isHeld(): boolean;
  /** The worker has ended. */
  leave(): Promise<void>;
  /** The worker has failed: what it had is to be taken over, although the process lives. */
  lose(): void;
}

/** Five fit into the heartbeat timeout of the lease. */
const BEAT_EVERY_MS = 3_000;
const BEAT_AGAIN_MS = 1_000;
/**
 * Above what one lost heartbeat takes. The SDK drops the end of an activity that does not reach the server for ten seconds, which
 * takes it for open then.
 */
const SILENT_MS = 9_000;

/**
 * One for all accounts of a process: it dies as a whole. One that is lost is never regained. The next one has another
 * identity, so that what the server has given to the earlier one can be looked for until nothing is left.
 */
export function createWatchLease(options: WatchLeaseOptions): WatchLease {
  let current: Promise<Held> | undefined;
  const beginAnew = (): Promise<Held> => {
    const begun = begin(options);
    const forget = (): void => {
      if (current === begun) current = undefined;
    };
    begun.then(({ over }) => {
      over.addEventListener('abort', forget);
    }, forget);
    return begun;
  };
  return {
    async join() {
      const held = await (current ??= beginAnew());
      return held.join();
    },
  };
}

interface Held {
  /** Aborted when the last worker has left, and when the lease is lost. */
  over: AbortSignal;
  join(): Term;
}

async function begin(options: WatchLeaseOptions): Promise<Held> {
  const identity = createIdentity({ watches: false });
  const calls = createLeaseCalls(options, identity);
  await calls.begin();
  const over = new AbortController();
  const kept = keep(calls, over);
  let workers = 0;
  const term: Term = {
    identity,
    isHeld: () => !over.signal.aborted,
    // It runs out soon.
    lose: () => {
      over.abort();
    },
    async leave() {
      workers -= 1;
      if (workers > 0 || over.signal.aborted) return;
      over.abort();
      await kept;
      // Where nobody hears it, the lease runs out.
      await calls.end();
    },
  };
  return {
    over: over.signal,
    join: () => {
      workers += 1;
      return term;
    },
  };
}

/** Heartbeats until the lease is over, and ends it after a time in which nobody heard that. */
async function keep(calls: LeaseCalls, over: AbortController): Promise<void> {
  let heardAt = performance.now();
  while (!over.signal.aborted) {
    const saidAt = performance.now();
    const answer = await calls.beat();
    if (answer === 'lost' || performance.now() - heardAt > SILENT_MS) over.abort();
    if (answer === 'held') heardAt = saidAt;
    await pause(answer === 'held' ? BEAT_EVERY_MS : BEAT_AGAIN_MS, over.signal);
  }
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop, ref: false }).catch(() => undefined);
}
