import { fileURLToPath } from 'node:url';

import { Client, Connection } from '@temporalio/client';

import { retriesUntil } from '../src/client/connect.js';
import { endRequestsWith, trackCalls } from '../src/client/server-calls.js';
import { resolveTemporalExecutable } from '../src/dev/temporal-executable.js';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../src/dev/temporal-server.js';
import {
  createSimulator,
  DEFAULT_API_KEY,
  type Simulator,
  type SimulatorOptions,
} from '../src/simulator/index.js';
import { closeScenarios } from '../test/support/runs/scenario.js';
import {
  startFastWorker,
  startScript,
  startWorkerProcess,
  type FastWorkerSettings,
  type WorkerProcess,
} from '../test/support/workers/worker-process.js';

type ServerOptions = Pick<TemporalServerOptions, 'exactTimers' | 'dynamicConfig'>;

/** A Temporal server, a simulated cloud and worker processes for one measurement. */
export interface BenchWorld {
  address: string;
  client: Client;
  simulator: Simulator;
  api: { baseUrl: string; apiKey: string };
  /** The same for the environment of `spawnProduct`. */
  account: { GCORE_API_KEY: string; GCORE_BASE_URL: string };
  /** For a call that may still be open at the end, such as a wait for a result: it fails then. */
  whileOpen: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts a process whose end is the end of the world. It polls as fast as it is told; in real time by default. */
  spawnOurs: (settings?: Partial<FastWorkerSettings>, root?: string) => WorkerProcess;
  /** Starts the worker of `npm start`, with this environment and the address of the Temporal server. */
  spawnProduct: (environment: Record<string, string>) => WorkerProcess;
  spawnNaive: (taskQueue: string) => WorkerProcess;
}

export interface BenchWorldOptions extends SimulatorOptions, ServerOptions {
  /** The address of a running Temporal server. By default a development server is started. */
  address?: string | undefined;
}

/** As in production, but with a budget far above the need: at ten requests a second the starts would take minutes. */
const IN_PRODUCTION = { speed: 1, reconcileGraceMs: 120_000, probeMs: 5_000, timeoutMs: 15_000 };
const NAIVE_WORKER = fileURLToPath(new URL('naive/worker.js', import.meta.url));

export async function inBenchWorld<T>(
  { address: given, exactTimers = false, dynamicConfig, ...simulated }: BenchWorldOptions,
  measure: (world: BenchWorld) => Promise<T>,
): Promise<T> {
  const server =
    given === undefined ? await startServer({ exactTimers, dynamicConfig }) : undefined;
  const address = given ?? server?.address ?? '';
  const simulator = createSimulator({ unknownFields: 'refused', ...simulated });
  const listener = await simulator.listen();
  const api = { baseUrl: listener.url, apiKey: DEFAULT_API_KEY };
  const closing = new AbortController();
  const interceptors = [retriesUntil(closing.signal)];
  const connection = await Connection.connect({ address, interceptors });
  endRequestsWith(closing.signal, connection);
  const client = new Client({ connection });
  const { call: whileOpen, settled } = trackCalls();
  const workers: WorkerProcess[] = [];
  try {
    return await measure({
      address,
      simulator,
      api,
      whileOpen,
      client,
      account: { GCORE_API_KEY: api.apiKey, GCORE_BASE_URL: api.baseUrl },
      ...workersOf(address, api, workers),
    });
  } finally {
    await Promise.all(workers.map(killed));
    closing.abort();
    await settled();
    await connection.close();
    await listener.close();
    await server?.close();
  }
}

function workersOf(
  address: string,
  api: BenchWorld['api'],
  workers: WorkerProcess[],
): Pick<BenchWorld, 'spawnOurs' | 'spawnProduct' | 'spawnNaive'> {
  const kept = (worker: WorkerProcess): WorkerProcess => {
    workers.push(worker);
    return worker;
  };
  return {
    spawnOurs: (settings, root) =>
      kept(startFastWorker({ ...IN_PRODUCTION, address, ...api, ...settings }, root)),
    spawnProduct: (environment) =>
      kept(startWorkerProcess({ TEMPORAL_ADDRESS: address, ...environment })),
    spawnNaive: (taskQueue) => {
      const settings = JSON.stringify({ address, taskQueue, api });
      return kept(startScript(NAIVE_WORKER, { NAIVE_WORKER: settings }));
    },
  };
}

/** Resolves when the worker polls. */
export async function ready(worker: WorkerProcess): Promise<WorkerProcess> {
  await worker.says('Worker is ready');
  return worker;
}

export async function killed({ child, exit }: WorkerProcess): Promise<void> {
  child.kill('SIGKILL');
  await exit;
}

/** Measures with a Temporal server of its own. Scenarios find it by the environment. */
export async function withTemporal<T>(
  options: ServerOptions,
  measure: (address: string) => Promise<T>,
): Promise<T> {
  const temporal = await startServer(options);
  process.env['TEMPORAL_ADDRESS'] = temporal.address;
  try {
    return await measure(temporal.address);
  } finally {
    await closeScenarios();
    await temporal.close();
  }
}

async function startServer(options: ServerOptions): Promise<TemporalServer> {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  return startTemporalServer({ ...options, executable });
}
