import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DefaultLogger } from '@temporalio/worker';

import {
  loadDevConfig,
  loadTemporalConfig,
  type DevConfig,
  type TemporalConfig,
} from '../config.js';
import { DEFAULT_ACCOUNT } from '../contract/names.js';
import {
  DEFAULT_POLL_POLICY,
  DEFAULT_RECONCILE_GRACE_MS,
  scalePollPolicy,
} from '../contract/run-policy.js';
import { createSimulator, parseSimulatorState, type SimulatorState } from '../simulator/index.js';
import { runWorker } from '../worker/run-worker.js';
import { defaultCacheDir } from './temporal-cli.js';
import { resolveTemporalExecutable } from './temporal-executable.js';
import { startTemporalServer } from './temporal-server.js';

/** Everything that a run needs, on this machine: a Temporal server, the simulated API and a worker. */
export interface LocalStack {
  /** Connects to the Temporal server. */
  temporal: TemporalConfig;
  uiUrl: string | undefined;
  simulatorUrl: string;
  /** Resolves when the worker ends; rejects when it fails. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

export interface LocalStackOptions {
  /** Speed of the simulated API; 1 is real time. The worker polls faster by the same factor. */
  speed: number;
  /** Where the Temporal server and the simulator save their state. Without it the state is lost at the end. */
  folder?: string;
  /** Ports of the Temporal server and its UI; free ports when left out. */
  port?: number;
  uiPort?: number;
  onProgress: (message: string) => void;
}

const SIMULATOR_KEY = 'simulator-key';
/** First project and region of the simulator's catalogue. */
const PLACE = { projectId: 1, regionId: 1 } as const;

/** Starts the stack. When a part does not start, the function stops the parts before it. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { speed, onProgress } = options;
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of opened.splice(0).reverse()) await stop();
  };
  try {
    const temporal = await startTemporal(options, loadDevConfig());
    opened.push(temporal.close);
    const simulator = await startSimulator(options);
    opened.push(simulator.close);
    onProgress(`The simulated API runs at ${simulator.url}`);

    const stop = new AbortController();
    const stopped = startWorker(
      { temporal: temporal.config, simulatorUrl: simulator.url, speed },
      stop.signal,
    );
    opened.push(async () => {
      stop.abort();
      await stopped.catch(() => undefined);
    });
    const { config, uiUrl } = temporal;
    return { temporal: config, uiUrl, simulatorUrl: simulator.url, stopped, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RunningTemporal {
  config: TemporalConfig;
  uiUrl: string | undefined;
  close: () => Promise<void>;
}

/** Uses the external server of TEMPORAL_ADDRESS, or starts an embedded one. */
async function startTemporal(
  options: LocalStackOptions,
  settings: DevConfig,
): Promise<RunningTemporal> {
  const { folder, port, uiPort, onProgress } = options;
  if (settings.temporalAddress !== undefined) {
    onProgress(`Using the Temporal server at ${settings.temporalAddress}`);
    return { config: loadTemporalConfig(), uiUrl: undefined, close: () => Promise.resolve() };
  }
  const { path } = await resolveTemporalExecutable({
    cliPath: settings.temporalCliPath,
    path: settings.searchPath,
    cacheDir: defaultCacheDir(settings.cacheHome),
    onProgress,
  });
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const { address, namespace, uiUrl, close } = await startTemporalServer({
    executable: path,
    ui: true,
    port,
    uiPort,
    ...(folder === undefined ? {} : { dbFilename: join(folder, 'temporal.db') }),
  });
  onProgress(`Temporal runs at ${address}, its UI at ${uiUrl ?? '-'}`);
  return { config: { connectionOptions: { address }, namespace }, uiUrl, close };
}

async function startSimulator({
  speed,
  folder,
}: LocalStackOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const file = folder === undefined ? undefined : join(folder, 'simulator.json');
  const state = file === undefined ? undefined : readState(file);
  const simulator = createSimulator({
    apiKey: SIMULATOR_KEY,
    timeScale: 1 / speed,
    ...(state === undefined ? {} : { state }),
    ...(file === undefined
      ? {}
      : {
          onChange: (changed) => {
            writeState(file, changed);
          },
        }),
  });
  return simulator.listen();
}

function readState(file: string): SimulatorState | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The first start: no state has been saved yet.
    return undefined;
  }
  return parseSimulatorState(JSON.parse(text));
}

/**
 * Writes a new file and then renames it, so that a kill in the middle leaves the whole old state. Only
 * the owner may read the file: simulated tasks echo passwords, like the real ones.
 */
function writeState(file: string, state: SimulatorState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface LocalWorker {
  temporal: TemporalConfig;
  simulatorUrl: string;
  speed: number;
}

function startWorker(
  { temporal, simulatorUrl, speed }: LocalWorker,
  signal: AbortSignal,
): Promise<void> {
  return runWorker({
    config: {
      apiKey: SIMULATOR_KEY,
      authScheme: 'apikey',
      baseUrl: simulatorUrl,
      ...PLACE,
      account: DEFAULT_ACCOUNT,
      requestsPerSecond: 10,
      reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS / speed,
      watcher: true,
      manifestRoot: process.cwd(),
      manifestHosts: [],
      notices: [],
    },
    temporal,
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed),
    logger: new DefaultLogger('ERROR'),
    signal,
  });
}
