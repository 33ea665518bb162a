import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

import { WORKFLOW_TASK_QUEUE } from '../../../src/contract/wire/names.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import type { WorkerVersion } from '../../../src/worker/worker-version.js';
import { createSimulator, type Simulator } from '../../../src/simulator/index.js';
import { until } from '../timing/until.js';
import { provisionInput } from '../inputs/provision-input.js';
import { openWorkers } from '../workers/open-workers.js';

const SPEED = 50;
const API_KEY = 'test-key';
const POLICY = {
  poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / SPEED),
  reconcileGraceMs: 500,
  searchAttributes: false,
};

/** A world with its own namespace. The CLI always uses the task queues of the product, so tests would share them. */
export interface CliWorld {
  address: string;
  namespace: string;
  /** Options that connect a command to this world. */
  server: string[];
  /** A file with a valid input. */
  file: string;
  simulator: Simulator;
  /** The address of the simulator. */
  baseUrl: string;
  /** Where the worker reads manifests. */
  folder: string;
  /** Runs a worker while `use` runs. */
  withWorker: <T>(use: () => Promise<T>, options?: WorkerOptions) => Promise<T>;
  close: () => Promise<void>;
}

interface WorkerOptions {
  apiKey?: string;
  /** Two workers of one process cannot serve one account. */
  account?: string;
  /** Of the workflow worker; without it the worker is not versioned. */
  version?: WorkerVersion;
}

export async function createCliWorld({ apiKey: key = API_KEY } = {}): Promise<CliWorld> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  const namespace = `cli-${randomUUID().slice(0, 8)}`;
  await createNamespace(address, namespace);
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  const file = join(folder, 'input.json');
  await writeFile(file, JSON.stringify(provisionInput()));
  const simulator = createSimulator({
    unknownFields: 'refused',
    apiKey: key,
    timeScale: 1 / SPEED,
    seed: 1,
  });
  const listener = await simulator.listen();
  return {
    address,
    namespace,
    server: ['--address', address, '--namespace', namespace],
    file,
    baseUrl: listener.url,
    simulator,
    folder,
    async withWorker(use, { apiKey = key, account = 'default', version } = {}) {
      const workers = await openWorkers({
        address,
        namespace,
        codePath: resolve('dist/workflow-bundle.js'),
        taskQueue: WORKFLOW_TASK_QUEUE,
        sharesWorker: false,
        ...(version && { version }),
        prepare: { defaults: {}, policy: POLICY },
        manifestRoot: folder,
        watches: true,
        account: {
          name: account,
          requestsPerSecond: 1_000,
          api: { baseUrl: listener.url, apiKey },
        },
      });
      try {
        return await use();
      } finally {
        await workers.close();
      }
    },
    async close() {
      await listener.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The server takes a moment to know a new namespace everywhere. */
export async function createNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const { workflowService } = connection;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  await until('the namespace is known', async () => {
    try {
      await workflowService.listWorkflowExecutions({ namespace });
      return true;
    } catch {
      return false;
    }
  });
  await connection.close();
}
