import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  loadCodecKeys,
  loadDevConfig,
  loadTemporalConfig,
  type DevConfig,
  type TemporalConfig,
  NOT_OBSERVED,
} from '../config.js';
import type { CodecKeys } from '../codec/open-codec.js';
import { DEFAULT_ACCOUNT } from '../contract/names.js';
import {
  DEFAULT_POLL_POLICY,
  DEFAULT_RECONCILE_GRACE_MS,
  scalePollPolicy,
} from '../contract/run-policy.js';
import {
  createSimulator,
  parseSimulatorState,
  type Simulator,
  type SimulatorState,
} from '../simulator/index.js';
import { createLogger } from '../observe/logger.js';
import { runWorker } from '../worker/run-worker.js';
import { devWebhooks } from './dev-webhooks.js';
import { lockFolder, type FolderLock } from './folder-lock.js';
import { seededCloud } from './seeded-cloud.js';
import { defaultCacheDir } from './temporal-cli.js';
import { createNexusEndpoint } from './nexus-endpoint.js';
import { resolveTemporalExecutable } from './temporal-executable.js';
import { startTemporalServer } from './temporal-server.js';

/** Everything that a run needs, on this machine: a Temporal server, the simulated API and a worker. */
export interface LocalStack {
  /**
   * Connects to the Temporal server: `connectionOptions` for `Connection` and `NativeConnection`, and
   * the namespace.
   */
  temporal: TemporalConfig;
  uiUrl: string | undefined;
  simulatorUrl: string;
  /** The simulated API, to script its faults and to see what exists. */
  simulator: Simulator;
  /** Resolves when the worker ends; rejects when it fails. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

export interface LocalStackOptions {
  /** Speed of the simulated API; 1 is real time. The worker polls faster by the same factor. */
  speed: number;
  /**
   * Where the Temporal server and the simulator save their state. Without it the state is lost at the
   * end. One process at a time may use a folder; the function throws `FolderInUseError` otherwise.
   */
  folder?: string;
  /** What exists at the simulated API at the first start; default: what the examples name. */
  state?: SimulatorState;
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
  const { speed, folder, onProgress } = options;
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of opened.splice(0).reverse()) await stop();
  };
  try {
    const codecKeys = loadCodecKeys();
    const lock = options.folder === undefined ? undefined : await openFolder(options.folder);
    if (lock !== undefined) opened.push(lock.release);
    const temporal = await startTemporal(options, loadDevConfig());
    opened.push(temporal.close);
    lock?.announce(`Temporal at ${addressOf(temporal.config)}`);
    if (temporal.uiUrl !== undefined) lock?.announce(`its UI at ${temporal.uiUrl}`);
    const { simulator, url, close: closeSimulator } = await startSimulator(options);
    opened.push(closeSimulator);
    onProgress(`The simulated API runs at ${url}`);

    const stop = new AbortController();
    const local = {
      ...{ temporal: temporal.config, simulatorUrl: url, speed, folder, codecKeys, onProgress },
    };
    const stopped = startWorker(local, stop.signal);
    opened.push(async () => {
      stop.abort();
      await stopped.catch(() => undefined);
    });
    const { config, uiUrl } = temporal;
    return { temporal: config, uiUrl, simulatorUrl: url, simulator, stopped, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openFolder(folder: string): Promise<FolderLock> {
  makeOwnFolder(folder);
  return lockFolder(folder);
}

function addressOf({ connectionOptions }: TemporalConfig): string {
  return connectionOptions.address ?? 'localhost:7233';
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
  const { address, namespace, uiUrl, close } = await startTemporalServer({
    executable: path,
    ui: true,
    port,
    uiPort,
    ...(folder === undefined ? {} : { dbFilename: join(folder, 'temporal.db') }),
  });
  onProgress(`Temporal runs at ${address}, its UI at ${uiUrl ?? '-'}`);
  const config = { connectionOptions: { address }, namespace };
  await createNexusEndpoint(config).catch((error: unknown) => {
    // An own executable of the Temporal CLI may be too old. Everything else works.
    onProgress(`Temporal has no Nexus endpoint: ${String(error)}`);
  });
  return { config, uiUrl, close };
}

/** Only the owner may read it: the state holds the inputs of runs. Also changes the folder of an earlier version. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
}

interface RunningSimulator {
  simulator: Simulator;
  url: string;
  close: () => Promise<void>;
}

async function startSimulator({
  speed,
  folder,
  state = seededCloud(),
}: LocalStackOptions): Promise<RunningSimulator> {
  const file = folder === undefined ? undefined : join(folder, 'simulator.json');
  const simulator = createSimulator({
    apiKey: SIMULATOR_KEY,
    timeScale: 1 / speed,
    state: (file === undefined ? undefined : readState(file)) ?? state,
    ...(file === undefined
      ? {}
      : {
          onChange: (changed) => {
            writeState(file, changed);
          },
        }),
  });
  const listener = await simulator.listen();
  return { simulator, url: listener.url, close: () => listener.close() };
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
  folder: string | undefined;
  codecKeys: CodecKeys | undefined;
  onProgress: (message: string) => void;
}

function startWorker(
  { temporal, simulatorUrl, speed, folder, codecKeys, onProgress }: LocalWorker,
  signal: AbortSignal,
): Promise<void> {
  return runWorker({
    config: {
      accounts: [
        {
          ...{ name: DEFAULT_ACCOUNT, apiKey: SIMULATOR_KEY },
          ...{ keyFile: undefined, keyVariable: undefined },
          authScheme: 'apikey',
          baseUrl: simulatorUrl,
          ...PLACE,
          projects: undefined,
          requestsPerSecond: 10,
        },
      ],
      accountsFile: undefined,
      reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS / speed,
      watcher: true,
      manifestRoot: process.cwd(),
      manifestHosts: [],
      webhooks: folder === undefined ? undefined : devWebhooks(folder),
      codecKeys,
      observe: NOT_OBSERVED,
      notices: [],
    },
    temporal,
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed),
    logger: createLogger('ERROR', onProgress),
    signal,
  });
}
