import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { freePort } from '../../src/dev/temporal-ports.js';
import { startTemporalServer } from '../../src/dev/temporal-server.js';
import { createSimulator } from '../../src/simulator/index.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { killGroup } from '../support/workers/kill-group.js';
import {
  startProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '../support/workers/worker-process.js';

const started: ChildProcess[] = [];
const groups: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const child of groups.splice(0)) killGroup(child);
});

/** Starts a worker that ends with its test. */
function startWorker(environment: Record<string, string>): WorkerProcess {
  const worker = startWorkerProcess(environment);
  started.push(worker.child);
  return worker;
}

const address = process.env['TEMPORAL_ADDRESS'] ?? '';

describe('the worker process', () => {
  it('refuses to start with a faulty configuration and lists every fault', async () => {
    const worker = startWorker({
      GCORE_BASE_URL: 'http://api.example.com',
      GCORE_CLOUD_PROJECT_ID: 'one',
      TEMPORAL_TLS: 'TRUE',
    });

    expect(await worker.exit).toBe(64);
    const said = worker.lines.join('\n');
    for (const name of [
      'GCORE_API_KEY',
      'GCORE_BASE_URL',
      'GCORE_CLOUD_PROJECT_ID',
      'TEMPORAL_TLS',
    ])
      expect(said).toContain(`${name}:`);
  });

  it('exits with 1 when it cannot run', async () => {
    const worker = startWorker({
      GCORE_API_KEY: 'key',
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: 'no-such-namespace',
    });

    expect(await worker.exit).toBe(1);
  });

  it('drains and exits with 0 on SIGTERM', async () => {
    const worker = startWorker({ GCORE_API_KEY: 'key', TEMPORAL_ADDRESS: address });
    await worker.says('Worker is ready');

    worker.child.kill('SIGTERM');

    expect(await worker.exit).toBe(0);
  });

  it('outlives the reader of its log, and drains all the same', async () => {
    const worker = startWorker({ GCORE_API_KEY: 'key', TEMPORAL_ADDRESS: address });
    await worker.says('Worker is ready');
    worker.child.stderr?.destroy();

    worker.child.kill('SIGTERM');

    // What it says while it drains reaches nobody.
    expect(await worker.exit).toBe(0);
  });

  // npm hands the signal to its shell, which would end without the worker.
  it('drains and exits with 0 when the signal goes to npm start', async () => {
    const environment = { GCORE_API_KEY: 'key', TEMPORAL_ADDRESS: address };
    const npm = ['npm', 'start', '--silent'] as const;
    const { child, says, exit } = startProcess(npm, environment, { ownGroup: true });
    groups.push(child);
    await says('Worker is ready');

    child.kill('SIGTERM');

    expect(await exit).toBe(0);
  });

  it('stops on SIGTERM while it waits for a Temporal server', async () => {
    const unused = `127.0.0.1:${await freePort()}`;
    const worker = startWorker({ GCORE_API_KEY: 'key', TEMPORAL_ADDRESS: unused });
    await worker.says('Temporal does not answer');

    worker.child.kill('SIGTERM');

    expect(await worker.exit).toBe(0);
  });

  it('waits for a Temporal server that starts later, and then serves its account', async () => {
    const simulator = createSimulator({ timeScale: 0.01 });
    const api = await simulator.listen();
    const port = await freePort();
    const worker = startWorker({
      GCORE_API_KEY: 'simulator-key',
      GCORE_ACCOUNT: 'team-a',
      GCORE_BASE_URL: api.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    });
    await worker.says('Temporal does not answer');
    const { path: executable } = await resolveTemporalExecutable({ path: process.env['PATH'] });
    const temporal = await startTemporalServer({ executable, port, exactTimers: true });
    const connection = await Connection.connect({ address: temporal.address });
    try {
      await worker.says('Worker is ready');
      const gcore = createGcoreWorkflows({ client: new Client({ connection }) });
      const { workflowId } = await gcore.start('provisionInstance', {
        requestId: randomUUID(),
        input: { ...provisionInput(), account: 'team-a' },
      });

      const result = await gcore.result('provisionInstance', workflowId);

      expect(result.status).toBe('ACTIVE');
      expect(worker.lines.join('\n')).not.toContain('simulator-key');
    } finally {
      worker.child.kill('SIGTERM');
      await worker.exit;
      await connection.close();
      await temporal.close();
      await api.close();
    }
  });
});
