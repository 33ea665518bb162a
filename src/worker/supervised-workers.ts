import { setTimeout as delay } from 'node:timers/promises';

import type { Runnable } from './runnable.js';
import { runWorkers } from './run-workers.js';

export interface SupervisedOptions {
  title?: string;
  /** Creates the workers of one account. */
  create: () => Promise<readonly Runnable[]>;
  /** The first of them, if they are created already. */
  first?: Promise<readonly Runnable[]>;
  /** Whether another account is served meanwhile. Otherwise a failure ends the process: a supervisor starts a new one. */
  areOthersServed: () => boolean;
  /** The workers of the account have failed. The next try comes after this time. */
  onFailed: (error: unknown, waitMs: number) => void;
  /** The workers run again. */
  onRecovered: () => void;
  firstWaitMs?: number;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 60_000;
/** Workers that ran for longer than this were sound: when they fail, the waits begin anew with the first one. */
const SOUND_MS = 300_000;

/**
 * The workers of one account as one. When one of them fails, all of them drain and are created again, while the other
 * accounts go on. The state is `FAILED` for that time: nobody serves the account, and it must not look alive.
 */
export function createSupervisedWorkers(options: SupervisedOptions): Runnable {
  const stop = new AbortController();
  let state: ReturnType<Runnable['getState']> = 'INITIALIZED';
  let parts: readonly Runnable[] = [];
  let isUnderWay = false;
  const setState = (next: typeof state): void => {
    if (!stop.signal.aborted) state = next;
  };
  const end = (last: typeof state): void => {
    isUnderWay = false;
    state = last;
  };
  return {
    getState: () => state,
    title: options.title ?? 'workers',
    parts: () => parts,
    isRestarting: () => isUnderWay && state !== 'RUNNING',
    shutdown: () => {
      setState('STOPPING');
      stop.abort();
    },
    run: async () => {
      isUnderWay = true;
      try {
        const onCreated = (workers: readonly Runnable[]): void => {
          parts = workers;
        };
        await superviseUntilStopped(options, { stop: stop.signal, setState, onCreated });
        end('STOPPED');
      } catch (error) {
        end('FAILED');
        throw error;
      }
    },
  };
}

interface Supervision {
  stop: AbortSignal;
  setState: (state: ReturnType<Runnable['getState']>) => void;
  onCreated: (workers: readonly Runnable[]) => void;
}

async function superviseUntilStopped(
  { firstWaitMs = FIRST_WAIT_MS, ...options }: SupervisedOptions,
  { stop, setState, onCreated }: Supervision,
): Promise<void> {
  let { first } = options;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    const startedAt = performance.now();
    try {
      // Those of all accounts are created before any of them runs.
      if (first !== undefined) setState('RUNNING');
      const workers = await (first ?? options.create());
      onCreated(workers);
      setState('RUNNING');
      first = undefined;
      if (waitMs > firstWaitMs) options.onRecovered();
      await runWorkers(workers, stop);
      return;
    } catch (error) {
      first = undefined;
      setState('FAILED');
      if (stop.aborted || !options.areOthersServed()) throw error;
      if (performance.now() - startedAt > SOUND_MS) waitMs = firstWaitMs;
      options.onFailed(error, waitMs);
      if (await isAbortedWithin(waitMs, stop)) return;
    }
  }
}

async function isAbortedWithin(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
  return signal.aborted;
}
