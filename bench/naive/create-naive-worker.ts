import { fileURLToPath } from 'node:url';

import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type NativeConnection,
  type WorkflowBundle,
} from '@temporalio/worker';

import { createNaiveActivities } from './activities.js';

/** A worker for the yardstick workflows. It bundles them at its start, as Temporal's samples do. */
export async function createNaiveWorker(options: {
  connection: NativeConnection;
  taskQueue: string;
  api: { baseUrl: string; apiKey: string };
}): Promise<Worker> {
  const { api, ...rest } = options;
  return Worker.create({
    ...rest,
    workflowBundle: await bundleNaiveWorkflows(),
    activities: createNaiveActivities(api),
  });
}

/** All yardstick workflows. */
export function bundleNaiveWorkflows(): Promise<WorkflowBundle> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./workflows', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
}
