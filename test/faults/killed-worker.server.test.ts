import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer, type TemporalServer } from '../../src/dev/temporal-server.js';
import { createSimulator, type Simulator } from '../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../support/provision-input.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

let temporal: TemporalServer;
let connection: Connection;
let gcore: GcoreWorkflows;
let simulator: Simulator;
let api: { url: string; close: () => Promise<void> };
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  temporal = await startTemporalServer({ executable });
  connection = await Connection.connect({ address: temporal.address });
  gcore = createGcoreWorkflows({ client: new Client({ connection }) });
  simulator = createSimulator({ timeScale: 0.5 });
  api = await simulator.listen();
});

afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await connection.close();
  await temporal.close();
  await api.close();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = startWorkerProcess({
    GCORE_API_KEY: 'simulator-key',
    GCORE_BASE_URL: api.url,
    TEMPORAL_ADDRESS: temporal.address,
  });
  workers.push(worker);
  await worker.says('Worker is ready');
  return worker;
}

describe('a worker that is killed', () => {
  it('in a wait is replaced: the end is noticed within 35 s, and nothing is made twice', async () => {
    const first = await startWorker();
    const { workflowId } = await gcore.start('provisionInstance', {
      requestId: 'survivor',
      input: provisionInput(),
    });
    await until('the run waits for its task', async () => {
      const { steps } = await gcore.status(workflowId);
      return steps[0]?.state === 'waiting';
    });

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await startWorker();
    const { instanceId } = await gcore.result('provisionInstance', workflowId);

    const taskEnd = Math.max(...simulator.snapshot().tasks.map((task) => task.endsAt));
    expect(Date.now() - taskEnd).toBeLessThan(35_000);
    expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
  }, 90_000);

  it('in the middle of the create call is replaced: the instance is found, not made again', async () => {
    simulator.reset();
    simulator.faults.add({
      match: { method: 'POST', path: CREATE_PATH },
      action: { kind: 'hang', afterProcessing: true },
    });
    const first = await startWorker();
    const { workflowId } = await gcore.start('provisionInstance', {
      requestId: 'in-flight',
      input: provisionInput(),
    });
    await until('the call is in flight', () => simulator.inventory().instances.length === 1);

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    for (const { child } of workers.splice(0)) child.kill('SIGKILL');
    await startWorker();
    const { instanceId } = await gcore.result('provisionInstance', workflowId);

    expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
    const creates = simulator.requests.filter(({ method }) => method === 'POST');
    expect(creates).toHaveLength(1);
  }, 90_000);
});
