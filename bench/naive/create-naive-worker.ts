import { fileURLToPath } from 'node:url';

import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type NativeConnection,
  type WorkflowBundle,
} from '@temporalio/worker';

import { createNaiveActivities } from './activities.js';

export interface NaiveWorkerOptions {
  connection: NativeConnection;
  taskQueue: string;
  api: { baseUrl: string; apiKey: string };
}

/** A worker for the yardstick workflow. */
export async function createNaiveWorker(options: NaiveWorkerOptions): Promise<Worker> {
  return Worker.create({
    connection: options.connection,
    taskQueue: options.taskQueue,
    workflowBundle: await bundleNaiveWorkflows(),
    activities: createNaiveActivities(options.api),
  });
}

/** All yardstick workflows. */
export function bundleNaiveWorkflows(): Promise<WorkflowBundle> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
}
