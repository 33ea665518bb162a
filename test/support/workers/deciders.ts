import { randomUUID } from 'node:crypto';

import {
  createWorkflowWorker,
  runWorkers,
  type WorkflowWorkerOptions,
} from '../../../src/worker/create-workers.js';

interface Decider {
  key: string;
  workflowBundle: WorkflowWorkerOptions['workflowBundle'];
  taskQueue: string;
}

/** Workers that decide, on task queues that nobody else has. */
export interface Deciders {
  /** The queue of a worker with these options, which `key` tells apart from others. */
  queueFor: (key: string, options: WorkflowWorkerOptions) => Promise<string>;
  close: () => Promise<void>;
}

/**
 * To start one costs a third of a second of a processor, most of it for reading the bundle: more
 * than many a test does with it. So those who want the same share it.
 */
export function createDeciders(): Deciders {
  const deciders: Decider[] = [];
  const running: Promise<void>[] = [];
  const stop = new AbortController();
  return {
    queueFor: async (key, options) => {
      const { workflowBundle } = options;
      const same = deciders.find(
        (decider) => decider.key === key && decider.workflowBundle === workflowBundle,
      );
      if (same !== undefined) return same.taskQueue;
      const taskQueue = `test-${randomUUID().slice(0, 8)}`;
      deciders.push({ key, workflowBundle, taskQueue });
      const worker = await createWorkflowWorker({ ...options, workflowTaskQueue: taskQueue });
      running.push(runWorkers([worker], stop.signal));
      return taskQueue;
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}
