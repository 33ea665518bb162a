import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  DEFAULT_CACHED_RUNS,
  loadCodecKeys,
  loadPorts,
  type Observability,
  type TemporalConfig,
} from '../config.js';
import type { CodecKeys } from '../codec/open-codec.js';
import type { SecretsConfig } from '../config/secrets.js';
import type { ClearSecrets } from '../contract/clear-secrets.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { paths } from '../contract/wire/paths.js';
import { DEFAULT_POLL_POLICY } from '../contract/wire/tasks.js';
import { DEFAULT_RECONCILE_GRACE_MS, scalePollPolicy } from '../engine/core/run-policy.js';
import {
  createSimulator,
  type FaultName,
  parseSimulatorState,
  type Simulator,
  type SimulatorState,
} from '../simulator/index.js';
import { createLogger } from '../observe/logger.js';
import { runWorker } from '../worker/run-worker.js';
import { devSecrets } from './dev-secrets.js';
import { devWebhooks } from './dev-webhooks.js';
import { lockFolder, type FolderLock } from './folder-lock.js';
import { startLocalTemporal, type LocalTemporalOptions } from './local-temporal.js';
import { seededCloud } from './seeded-cloud.js';

/** Everything that a run needs, on this machine: a Temporal server, the simulated API and a worker. */
export interface LocalStack {
  /**
   * Connects to the Temporal server: `connectionOptions` for `Connection` and `NativeConnection`, and
   * the namespace.
   */
  temporal: TemporalConfig;
  uiUrl: string | undefined;
  simulatorUrl: string;
  /** Key that the simulated API accepts. */
  apiKey: string;
  /** Project and region of runs that name none. */
  place: { projectId: number; regionId: number };
  /** The simulated API, to script its faults and to see what exists. */
  simulator: Simulator;
  /** Where manifests with `file:` are read. */
  manifestRoot: string;
  /** Resolves when `dev stop` asks the process that uses this folder to end. */
  stopAsked: Promise<void>;
  /** Resolves when the worker ends; rejects when it fails. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

export interface LocalStackOptions extends Omit<LocalTemporalOptions, 'onProgress'> {
  /** Speed of the simulated API; 1, which is real time, when left out. The worker polls faster by the same factor. */
  speed?: number;
  /** Gets each line about the start, and the errors of the worker. */
  onProgress?: (message: string) => void;
  /** Folder of the secrets that inputs name, one file each. By default `secrets` in `folder`. */
  secretsFolder?: string;
  /** Faults of the simulated API from its start on. */
  faults?: readonly FaultName[];
  /** What exists at the simulated API at the first start; default: what the examples name. */
  state?: SimulatorState;
}

const SIMULATOR_KEY = 'simulator-key';
/** Nothing here is real: `callApi` may try the collections of the simulated cloud. */
const DEV_CALLS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
  ['*/*/*', '*/*/*/*', '*/*/*/*/*'].flatMap((below) => [
    `${method} /cloud/v1/${below}`,
    `${method} /cloud/v2/${below}`,
  ]),
);
/** First project and region of the simulator's catalogue. */
const PLACE = { projectId: 1, regionId: 1 } as const;

/** Starts the stack. When a part does not start, the function stops the parts before it. */
export async function startLocalStack(given: LocalStackOptions = {}): Promise<LocalStack> {
  const { speed = 1, onProgress = () => undefined } = given;
  const options = { ...given, speed, onProgress };
  const { folder } = options;
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const stop of opened.splice(0).reverse()) await stop();
  };
  try {
    const [codecKeys, observe] = [loadCodecKeys(), loadPorts()];
    const lock = options.folder === undefined ? undefined : await openFolder(options.folder);
    if (lock !== undefined) opened.push(lock.release);
    const temporal = await startLocalTemporal(options);
    opened.push(temporal.close);
    lock?.announce(`Temporal at ${addressOf(temporal.config)}`);
    if (temporal.uiUrl !== undefined) lock?.announce(`its UI at ${temporal.uiUrl}`);
    const { simulator, url, close: closeSimulator } = await startSimulator(options);
    opened.push(closeSimulator);
    onProgress(`The simulated API runs at ${url}`);

    const stop = new AbortController();
    const local: LocalWorker = {
      temporal: temporal.config,
      simulatorUrl: url,
      speed,
      folder,
      manifestRoot: process.cwd(),
      onProgress,
      codecKeys,
      observe,
      secrets: devSecrets(options),
      clearSecrets: temporal.clearSecrets,
    };
    const stopped = startWorker(local, stop.signal);
    tellWhatIsSeen(local);
    opened.push(async () => {
      stop.abort();
      await stopped.catch(() => undefined);
    });
    const { config, uiUrl } = temporal;
    const api = { simulatorUrl: url, apiKey: SIMULATOR_KEY, place: PLACE };
    const stopAsked = lock?.stopAsked ?? new Promise<void>(() => undefined);
    const { manifestRoot } = local;
    return { temporal: config, uiUrl, ...api, manifestRoot, simulator, stopAsked, stopped, close };
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

/** Only the owner may read it: the state holds the inputs of runs. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

interface RunningSimulator {
  simulator: Simulator;
  url: string;
  close: () => Promise<void>;
}

async function startSimulator({
  speed,
  folder,
  faults = [],
  state = seededCloud(),
}: LocalStackOptions & { speed: number }): Promise<RunningSimulator> {
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
  faults.forEach(simulator.faults.start);
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
  manifestRoot: string;
  codecKeys: CodecKeys | undefined;
  observe: Observability;
  secrets: SecretsConfig;
  clearSecrets: ClearSecrets | undefined;
  onProgress: (message: string) => void;
}

function tellWhatIsSeen({ observe, codecKeys, onProgress }: LocalWorker): void {
  const { host, metricsPort, healthPort } = observe;
  if (codecKeys !== undefined) onProgress('Payloads are encrypted (GCORE_CODEC_KEYS)');
  if (metricsPort !== undefined) onProgress(`Metrics at http://${host}:${metricsPort}/metrics`);
  if (healthPort !== undefined) onProgress(`Health at http://${host}:${healthPort}/readyz?verbose`);
}

function startWorker(
  { temporal, simulatorUrl, speed, folder, onProgress, ...local }: LocalWorker,
  signal: AbortSignal,
): Promise<void> {
  return runWorker({
    config: {
      accounts: [
        {
          name: DEFAULT_ACCOUNT,
          apiKey: SIMULATOR_KEY,
          keyFile: undefined,
          keyVariable: undefined,
          authScheme: 'apikey',
          baseUrl: simulatorUrl,
          ...PLACE,
          projects: undefined,
          requestsPerSecond: 10,
        },
      ],
      accountsFile: undefined,
      tasksPath: paths.tasks(),
      workflowStacks: false,
      cachedRuns: DEFAULT_CACHED_RUNS,
      reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS / speed,
      watcher: true,
      manifestRoot: local.manifestRoot,
      manifestHosts: [],
      callApi: DEV_CALLS,
      webhooks: folder === undefined ? undefined : devWebhooks(folder),
      codecKeys: local.codecKeys,
      observe: local.observe,
      secrets: local.secrets,
      clearSecrets: local.clearSecrets,
      deployment: undefined,
      notices: [],
    },
    temporal,
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed),
    logger: createLogger('ERROR', onProgress),
    signal,
  });
}
