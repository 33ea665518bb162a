import type { Worker } from '@temporalio/worker';

/** Waits for all workers. When one cannot be created, ends the others: a worker that never runs stays in memory. */
export async function createAll(creations: readonly Promise<Worker>[]): Promise<Worker[]> {
  const results = await Promise.allSettled(creations);
  const workers = results.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  const failed = results.find((it) => it.status === 'rejected');
  if (failed === undefined) return workers;
  await Promise.allSettled(workers.map((worker) => worker.runUntil(Promise.resolve())));
  throw failed.reason;
}
