import { fileURLToPath } from 'node:url';

import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type NativeConnection,
} from '@temporalio/worker';

import { createNaiveActivities } from './activities.js';

export interface NaiveWorkerOptions {
  connection: NativeConnection;
  taskQueue: string;
  api: { baseUrl: string; apiKey: string };
}

/** A worker for the yardstick workflow. */
export async function createNaiveWorker(options: NaiveWorkerOptions): Promise<Worker> {
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  return Worker.create({
    connection: options.connection,
    taskQueue: options.taskQueue,
    workflowBundle,
    activities: createNaiveActivities(options.api),
  });
}
