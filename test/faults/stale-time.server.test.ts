import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';

import { askRun } from '../../src/client/ask-run.js';
import { ticksQuery, tickSignal } from './clock/workflows.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { bundleWorkflows } from '../support/workers/bundle-workflows.js';
const workflows = 'test/faults/clock/workflows.ts';

async function startWorker(taskQueue: string, codePath: string): Promise<ChildProcess> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  const script = resolve('test/faults/clock/worker.js');
  const worker = spawn(process.execPath, [script, address, taskQueue, codePath], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(worker.stdout, 'data');
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

/** A run that waits, and whose worker has been killed. */
async function waitingRun(client: Client) {
  const codePath = await bundleWorkflows(workflows, ['src/engine/run/refuse-stale-time.ts']);
  const taskQueue = `clock-${randomUUID()}`;
  const run = await client.workflow.start('tellTime', { taskQueue, workflowId: taskQueue });
  const first = await startWorker(taskQueue, codePath);
  await until('the run waits', async () => (await run.describe()).historyLength >= 4);
  // The query binds the run to this worker. The server now waits some seconds for its return.
  await run.query(ticksQuery);
  await kill(first);
  const ask = () => askRun(client, { workflowId: taskQueue }, ticksQuery);
  return { run, ask, startAnother: () => startWorker(taskQueue, codePath) };
}

it('a run that gets a query and a signal while no worker runs dates the signal correctly', () =>
  inScenario({}, async ({ client }) => {
    const { run, ask, startAnother } = await waitingRun(client);

    const asked = ask();
    // The query must reach the server before the signal.
    await until('the server is asked', async () => (await run.describe()).historyLength >= 4);
    const signalledAt = Date.now();
    await run.signal(tickSignal);
    const second = await startAnother();

    try {
      expect(await asked).toBe(1);
      expect(await run.result()).toBeGreaterThanOrEqual(signalledAt);
    } finally {
      await kill(second);
    }
  }));

it('a run that was terminated before a workflow task showed it a signal answers as that task left it', () =>
  inScenario({}, async ({ client }) => {
    const { run, ask, startAnother } = await waitingRun(client);
    await run.signal(tickSignal);
    await run.terminate('enough');
    const second = await startAnother();

    try {
      expect(await ask()).toBe(0);
      // The worker that has answered keeps the run as it is.
      expect(await ask()).toBe(0);
    } finally {
      await kill(second);
    }
  }));
