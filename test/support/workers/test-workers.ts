import { z } from 'zod';

import type { BreakersOptions } from '../../../src/activities/http/circuit-breaker.js';
import type { PrepareDeps } from '../../../src/activities/index.js';
import type { AccountOptions } from '../../../src/worker/create-workers.js';

/** Workers of one account: one that decides, and those that call the API. */
export interface WorkersSpec {
  /** Of the Temporal server. */
  address: string;
  namespace: string;
  /** File with the code of the workflows. */
  codePath: string;
  /** Of the worker that decides; without it a queue that no other test decides on differently. */
  taskQueue?: string;
  /** False: the worker that decides serves nobody else, and has stopped after this. */
  sharesWorker: boolean;
  prepare: Pick<PrepareDeps, 'defaults' | 'policy'>;
  /** Directory below which manifests are read. */
  manifestRoot?: string;
  /** False: runs ask for a watcher, but no worker has one. */
  watches: boolean;
  account: Omit<AccountOptions, 'api'> & {
    api: Pick<AccountOptions['api'], 'baseUrl' | 'apiKey' | 'timeoutMs' | 'unexpectedRetryMs'>;
    breakers?: Omit<BreakersOptions, 'onOpen' | 'onClose'>;
  };
}

export interface TestWorkers {
  /** Of the worker that decides. */
  taskQueue: string;
  /** Resolves when they have drained. */
  close: () => Promise<void>;
}

/** Whether there is a process that runs workers for all tests; outside of jest there is none. */
export function hasWorkerServer(): boolean {
  return process.env['WORKERS_ADDRESS'] !== undefined;
}

const openedSchema = z.object({ id: z.string(), taskQueue: z.string() });

/** Starts workers in the process that runs them for all tests. */
export async function openWorkers(spec: WorkersSpec): Promise<TestWorkers> {
  const { id, taskQueue } = openedSchema.parse(await ask({ open: spec }));
  return {
    taskQueue,
    close: async () => {
      await ask({ close: id });
    },
  };
}

async function ask(body: { open: WorkersSpec } | { close: string }): Promise<unknown> {
  const url = process.env['WORKERS_ADDRESS'] ?? '';
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`workers of the test: ${await response.text()}`);
  return response.json();
}
