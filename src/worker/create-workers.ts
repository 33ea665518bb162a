import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';

import type { ApiClient } from '../activities/index.js';
import {
  createApiActivities,
  createPrepareActivities,
  type PrepareDeps,
} from '../activities/index.js';
import { apiTaskQueue, WORKFLOW_TASK_QUEUE } from '../contract/names.js';

/** One API key: its own request budget, its own task queue. */
export interface AccountOptions {
  name: string;
  api: ApiClient;
  requestsPerSecond: number;
}

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  prepare: PrepareDeps;
  accounts: readonly AccountOptions[];
  /** Another queue than `gcore-workflows`: tests that run side by side need their own. */
  workflowTaskQueue?: string;
}

const SHUTDOWN = {
  // The default is 0: every deployment would cut calls short and leave their outcome unknown.
  shutdownGraceTime: '30 seconds',
  shutdownForceTime: '45 seconds',
} as const;

/** A cached run takes about 0.3 MiB. */
const MAX_CACHED_WORKFLOWS = 1_000;

/**
 * One worker for decisions, and one an account for HTTP calls. Two kinds of queue, because the
 * rate limit belongs to the queue: it is the account's request budget across all workers, kept by
 * the Temporal server.
 */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { connection, namespace, workflowBundle, prepare, accounts } = options;
  const workflows = await Worker.create({
    connection,
    namespace,
    taskQueue: options.workflowTaskQueue ?? WORKFLOW_TASK_QUEUE,
    workflowBundle,
    activities: createPrepareActivities(prepare),
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    ...SHUTDOWN,
  });
  const calls = await Promise.all(
    accounts.map(({ name, api, requestsPerSecond }) =>
      Worker.create({
        connection,
        namespace,
        taskQueue: apiTaskQueue(name),
        activities: createApiActivities({ api }),
        maxTaskQueueActivitiesPerSecond: requestsPerSecond,
        ...SHUTDOWN,
      }),
    ),
  );
  return [workflows, ...calls];
}

/**
 * Runs the workers until a process signal or `signal` ends them all, each after it has drained.
 * Rejects when one of them fails, after the others have drained: half a worker would look alive
 * and do nothing.
 */
export async function runWorkers(workers: readonly Worker[], signal?: AbortSignal): Promise<void> {
  const stopAll = (): void => {
    for (const worker of workers) {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    }
  };
  const runs = workers.map((worker) => worker.run().finally(stopAll));
  signal?.addEventListener('abort', stopAll);
  if (signal?.aborted === true) stopAll();
  const results = await Promise.allSettled(runs);
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
}
