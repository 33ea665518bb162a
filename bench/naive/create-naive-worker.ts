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
  /** The bundle is made when this is left out. */
  workflowBundle?: WorkflowBundle;
  /** Runs in memory; the SDK's default when left out. */
  maxCachedWorkflows?: number;
}

/** A worker for the yardstick workflow. */
export async function createNaiveWorker(options: NaiveWorkerOptions): Promise<Worker> {
  const { api, workflowBundle, ...rest } = options;
  return Worker.create({
    ...rest,
    workflowBundle: workflowBundle ?? (await bundleNaiveWorkflows()),
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
