import type { Runnable } from './runnable.js';

/**
 * Runs the workers until a process signal or `signal` ends them all, each after it has drained.
 * When one fails, drains the others and rejects: half a worker would look alive and do nothing.
 */
export async function runWorkers(
  workers: readonly Runnable[],
  signal?: AbortSignal,
): Promise<void> {
  const stopAll = (): void => {
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING' || worker.isRestarting?.() === true) worker.shutdown();
    }
  };
  const runs = workers.map((worker) => worker.run().finally(stopAll));
  signal?.addEventListener('abort', stopAll);
  if (signal?.aborted === true) stopAll();
  const results = await Promise.allSettled(runs);
  signal?.removeEventListener('abort', stopAll);
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
}
