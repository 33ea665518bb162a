import { setTimeout as delay } from 'node:timers/promises';

import type { Runnable } from './runnable.js';

export interface ElectedWorkerOptions {
  isElected: () => boolean;
  create: () => Promise<Runnable>;
  /** The worker could not be created, or its last activities did not end. It goes on. */
  onTrouble: (error: unknown) => void;
}

/** A process that starts learns of the others soon. After that it looks rarely: a look for each account wakes an idle process. */
const FIRST_LOOK_MS = 100;
const LOOK_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 5_000;

/** A worker that exists only while this process is elected. */
export function createElectedWorker(options: ElectedWorkerOptions): Runnable {
  const stop = new AbortController();
  let state: ReturnType<Runnable['getState']> = 'INITIALIZED';
  return {
    getState: () => state,
    shutdown: () => {
      state = 'STOPPING';
      stop.abort();
    },
    run: async () => {
      state = 'RUNNING';
      try {
        await serveTerms(options, stop.signal);
        state = 'STOPPED';
      } catch (error) {
        state = 'FAILED';
        throw error;
      }
    },
  };
}

async function serveTerms(options: ElectedWorkerOptions, stop: AbortSignal): Promise<void> {
  let isEnded = false;
  let waitMs = FIRST_LOOK_MS;
  while (!isEnded && !stop.aborted) {
    if (options.isElected()) isEnded = await serve(options, stop);
    else await pause(waitMs, stop);
    waitMs = Math.min(2 * waitMs, LOOK_EVERY_MS);
  }
}

/** Resolves when this process is no longer elected; with true when the worker has ended by itself, as on a signal. */
async function serve(
  { isElected, create, onTrouble }: ElectedWorkerOptions,
  stop: AbortSignal,
): Promise<boolean> {
  const worker = await create().catch((error: unknown) => {
    onTrouble(error);
    return undefined;
  });
  if (worker === undefined) {
    await pause(TRY_AGAIN_MS, stop);
    return false;
  }
  const running = worker.run();
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
  };
  // How it ends is handled below.
  running.then(end, end);
  const over = AbortSignal.any([stop, ended.signal]);
  const isRunning = (): boolean => worker.getState() === 'RUNNING';
  while (isRunning() && isElected() && !over.aborted) await pause(LOOK_EVERY_MS, over);
  if (!isRunning()) {
    await running;
    return true;
  }
  worker.shutdown();
  await running.catch((error: unknown) => {
    // The other workers of the process go on.
    if (stop.aborted) throw error;
    onTrouble(error);
  });
  return false;
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop }).catch(() => undefined);
}
