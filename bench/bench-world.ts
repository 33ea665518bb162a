import { fileURLToPath } from 'node:url';

import { Client, Connection } from '@temporalio/client';

import { retriesUntil } from '../src/client/connect.js';
import { trackCalls } from '../src/client/server-calls.js';
import { resolveTemporalExecutable } from '../src/dev/temporal-executable.js';
import { startTemporalServer } from '../src/dev/temporal-server.js';
import {
  createSimulator,
  DEFAULT_API_KEY,
  type Simulator,
  type SimulatorOptions,
} from '../src/simulator/index.js';
import {
  startFastWorker,
  startScript,
  type FastWorkerSettings,
  type WorkerProcess,
} from '../test/support/workers/worker-process.js';

/** A Temporal server, a simulated cloud and worker processes for one measurement. */
export interface BenchWorld {
  address: string;
  client: Client;
  simulator: Simulator;
  api: { baseUrl: string; apiKey: string };
  /** For a call that may still be open at the end, such as a wait for a result: it fails then. */
  whileOpen: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts a process whose end is the end of the world. Resolves when it is ready. */
  startOurs: (settings?: Partial<FastWorkerSettings>) => Promise<WorkerProcess>;
  startNaive: (taskQueue: string, maxCachedWorkflows?: number) => Promise<WorkerProcess>;
}

export interface BenchWorldOptions extends SimulatorOptions {
  /** The address of a running Temporal server. By default a development server is started. */
  address?: string | undefined;
  exactTimers?: boolean;
}

/** As in production, but with a budget far above the need: at ten requests a second the starts would take minutes. */
const IN_PRODUCTION = { speed: 1, reconcileGraceMs: 120_000, probeMs: 5_000, timeoutMs: 15_000 };
const NAIVE_WORKER = fileURLToPath(new URL('naive/naive-worker.js', import.meta.url));

export async function inBenchWorld<T>(
  { address: given, exactTimers = false, ...simulated }: BenchWorldOptions,
  measure: (world: BenchWorld) => Promise<T>,
): Promise<T> {
  const server = given === undefined ? await startServer(exactTimers) : undefined;
  const address = given ?? server?.address ?? '';
  const simulator = createSimulator(simulated);
  const listener = await simulator.listen();
  const api = { baseUrl: listener.url, apiKey: DEFAULT_API_KEY };
  const closing = new AbortController();
  const interceptors = [retriesUntil(closing.signal)];
  const connection = await Connection.connect({ address, interceptors });
  const { call: whileOpen, settled } = trackCalls(connection, closing.signal);
  const workers: WorkerProcess[] = [];
  const ready = async (worker: WorkerProcess): Promise<WorkerProcess> => {
    workers.push(worker);
    await worker.says('Worker is ready');
    return worker;
  };
  try {
    return await measure({
      ...{ address, simulator, api, whileOpen, client: new Client({ connection }) },
      startOurs: (settings) =>
        ready(startFastWorker({ ...IN_PRODUCTION, address, ...api, ...settings })),
      startNaive: (taskQueue, maxCachedWorkflows) => {
        const settings = { address, taskQueue, api, maxCachedWorkflows };
        return ready(startScript(NAIVE_WORKER, { NAIVE_WORKER: JSON.stringify(settings) }));
      },
    });
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ exit }) => exit));
    closing.abort();
    await settled();
    await connection.close();
    await listener.close();
    await server?.close();
  }
}

async function startServer(exactTimers: boolean) {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  return startTemporalServer({ executable, exactTimers });
}
