import type { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';

import type { InProcess, TestWorkers, WorkersSpec } from './test-workers.js';

const openedSchema = z.object({ id: z.string(), taskQueue: z.string() });

/** Starts workers in the process that runs them for all tests if possible; there is none outside jest. */
export async function openWorkers(spec: WorkersSpec, calls?: InProcess): Promise<TestWorkers> {
  const url = process.env['WORKERS_ADDRESS'];
  if (url === undefined || calls !== undefined) return (await inProcess()).open(spec, calls);
  const { id, taskQueue } = openedSchema.parse(await ask(url, { open: spec }));
  return {
    taskQueue,
    close: async () => {
      await ask(url, { close: id });
    },
  };
}

async function ask(url: string, body: { open: WorkersSpec } | { close: string }): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`workers of the test: ${await response.text()}`);
  return response.json();
}

export async function nativeConnection(address: string): Promise<NativeConnection> {
  return (await inProcess()).connect(address);
}

/** Closes what was opened in this process. */
export async function closeWorkers(): Promise<void> {
  await (await loaded)?.inProcessWorkers.close();
}

const load = () => import('./in-process-workers.js');
let loaded: ReturnType<typeof load> | undefined;

/** Imported only when needed, because the SDK for workers takes long to load. */
async function inProcess() {
  loaded ??= load();
  return (await loaded).inProcessWorkers;
}
