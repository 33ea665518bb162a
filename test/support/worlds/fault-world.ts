import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../../src/client/index.js';
import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../../src/dev/temporal-server.js';
import {
  createSimulator,
  DEFAULT_API_KEY,
  type Simulator,
  type SimulatorOptions,
} from '../../../src/simulator/index.js';
import {
  startFastWorker,
  startWorkerProcess,
  type FastWorkerSettings,
  type WorkerProcess,
} from '../workers/worker-process.js';

/** A whole installation that a test may break. It shares no part with other tests. */
export interface FaultWorld {
  /** Listens on a port. Its tasks end within milliseconds unless `timeScale` says otherwise. */
  simulator: Simulator;
  gcore: ConnectedGcoreWorkflows;
  /** The address of the simulator. */
  baseUrl: string;
  /** The address of the Temporal server, also while the server is down. */
  address: string;
  /** Kills the Temporal server with SIGKILL. Its database file stays. */
  killTemporal(): Promise<void>;
  /** Starts the server again with the same port and database file. Resolves when it answers. */
  startTemporal(): Promise<void>;
  /** Connects one more client. */
  connect(connectTimeoutMs?: number): Promise<ConnectedGcoreWorkflows>;
  /** Starts one more worker process. Resolves when it is ready. */
  startWorker(): Promise<WorkerProcess>;
  /** Kills every worker process with SIGKILL. */
  killWorkers(): Promise<void>;
  /** Ends everything, whatever state it is in. */
  close(): Promise<void>;
}

/** Tasks end before the first look, so a run waits only for its own first look. */
const TIME_SCALE = 0.0001;

const WORKER_SETTINGS = {
  GCORE_API_KEY: 'simulator-key',
  GCORE_REQUESTS_PER_SECOND: '100',
  GCORE_RECONCILE_GRACE_SECONDS: '2',
};

/** The simulated cloud: by default its tasks end before the first look. */
export interface FaultWorldOptions extends SimulatorOptions {
  /** Settings of workers that poll as fast as the simulated cloud; otherwise the workers of `npm start` run. */
  fast?: Omit<FastWorkerSettings, 'address' | 'baseUrl' | 'apiKey'>;
  /** Starts another worker process than these. */
  spawn?: (at: { baseUrl: string; address: string }) => WorkerProcess;
  /** Settings of the Temporal server. */
  dynamicConfig?: TemporalServerOptions['dynamicConfig'];
  /** A server that somebody else opened and closes. By default the world has a development server of its own. */
  temporal?: BreakableTemporal;
}

export type BreakableTemporal = Pick<FaultWorld, 'address' | 'killTemporal' | 'startTemporal'>;

type Opened = (() => Promise<void>)[];

/** Runs a test in its own world and closes the world afterwards. */
export async function inFaultWorld(
  test: (world: FaultWorld) => Promise<void>,
  options: FaultWorldOptions = {},
): Promise<void> {
  const world = await openFaultWorld(options);
  try {
    await test(world);
  } finally {
    await world.close();
  }
}

/** Opens a world for several tests. */
export async function openFaultWorld(options: FaultWorldOptions = {}): Promise<FaultWorld> {
  const opened: Opened = [];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    return { ...(await openParts(opened, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(
  opened: Opened,
  { dynamicConfig, fast, spawn, ...options }: FaultWorldOptions,
): Promise<Omit<FaultWorld, 'close'>> {
  const temporal = options.temporal ?? (await openTemporal(opened, dynamicConfig));
  const simulator = createSimulator({
    unknownFields: 'refused',
    timeScale: TIME_SCALE,
    ...options,
  });
  const api = await simulator.listen();
  opened.push(() => api.close());
  const { url: baseUrl } = api;
  const { address } = temporal;
  const workers = openWorkers(opened, () => {
    if (spawn) return spawn({ baseUrl, address });
    if (fast) return startFastWorker({ ...fast, baseUrl, apiKey: DEFAULT_API_KEY, address });
    const place = { GCORE_BASE_URL: baseUrl, TEMPORAL_ADDRESS: address };
    return startWorkerProcess({ ...WORKER_SETTINGS, ...place });
  });
  const connect = async (connectTimeoutMs?: number): Promise<ConnectedGcoreWorkflows> => {
    const gcore = await connectGcoreWorkflows({
      config: { connectionOptions: { address } },
      ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    });
    opened.push(() => gcore.close());
    return gcore;
  };
  return { simulator, baseUrl, gcore: await connect(), connect, ...temporal, ...workers };
}

async function openTemporal(
  opened: Opened,
  dynamicConfig: TemporalServerOptions['dynamicConfig'] = {},
): Promise<BreakableTemporal> {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  const folder = await mkdtemp(join(tmpdir(), 'fault-world-'));
  opened.push(() => rm(folder, { recursive: true }));
  const dbFilename = join(folder, 'temporal.db');
  const options = { executable, dbFilename, exactTimers: true, dynamicConfig };
  let server: TemporalServer = await startTemporalServer(options);
  opened.push(() => server.close());
  const { address } = server;
  const port = Number(address.split(':').at(-1));
  return {
    address,
    killTemporal: () => server.kill(),
    startTemporal: async () => {
      server = await startTemporalServer({ ...options, port });
    },
  };
}

function openWorkers(
  opened: Opened,
  spawn: () => WorkerProcess,
): Pick<FaultWorld, 'startWorker' | 'killWorkers'> {
  const workers: WorkerProcess[] = [];
  const killWorkers = async (): Promise<void> => {
    const killed = workers.splice(0);
    for (const { child } of killed) child.kill('SIGKILL');
    await Promise.all(killed.map(({ exit }) => exit));
  };
  opened.push(killWorkers);
  return {
    startWorker: async () => {
      const worker = spawn();
      workers.push(worker);
      await worker.says('Worker is ready');
      return worker;
    },
    killWorkers,
  };
}
