import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DefaultLogger } from '@temporalio/worker';

import { loadDevConfig, loadTemporalConfig, type DevConfig } from '../config.js';
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

/** Everything a run needs, on this machine: a Temporal server, the simulated API, a worker. */
export interface LocalStack {
  temporalAddress: string;
  namespace: string;
  uiUrl: string | undefined;
  simulatorUrl: string;
  /** Settles when the worker ends; rejects when it fails. */
  stopped: Promise<void>;
  close(): Promise<void>;
}

export interface LocalStackOptions {
  /** How much faster than the real API the simulated one is; the worker looks as much more often. */
  speed: number;
  /** Where the Temporal server and the simulator keep their state; without it all is forgotten. */
  folder?: string;
  onProgress: (message: string) => void;
}

const SIMULATOR_KEY = 'simulator-key';
/** First project and region of the simulator's catalogue. */
const PLACE = { projectId: 1, regionId: 1 } as const;

/** Starts the stack; what was started is stopped again when a later part does not start. */
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
    onProgress(`The simulated API listens at ${simulator.url}`);

    const stop = new AbortController();
    const stopped = startWorker({ ...temporal, simulatorUrl: simulator.url, speed }, stop.signal);
    opened.push(async () => {
      stop.abort();
      await stopped.catch(() => undefined);
    });
    const { address, namespace, uiUrl } = temporal;
    return {
      temporalAddress: address,
      namespace,
      uiUrl,
      simulatorUrl: simulator.url,
      stopped,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface RunningTemporal {
  address: string;
  namespace: string;
  uiUrl: string | undefined;
  close: () => Promise<void>;
}

/** An external server when TEMPORAL_ADDRESS names one, else an embedded one. */
async function startTemporal(
  { folder, onProgress }: LocalStackOptions,
  config: DevConfig,
): Promise<RunningTemporal> {
  if (config.temporalAddress !== undefined) {
    const { namespace = 'default' } = loadTemporalConfig();
    onProgress(`Using the Temporal server at ${config.temporalAddress}`);
    const close = (): Promise<void> => Promise.resolve();
    return { address: config.temporalAddress, namespace, uiUrl: undefined, close };
  }
  const { path } = await resolveTemporalExecutable({
    cliPath: config.temporalCliPath,
    path: config.searchPath,
    cacheDir: defaultCacheDir(config.cacheHome),
    onProgress,
  });
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const server = await startTemporalServer({
    executable: path,
    ui: true,
    // A kept server keeps its address: open terminals and bookmarks go on working.
    ...(folder === undefined
      ? {}
      : { dbFilename: join(folder, 'temporal.db'), port: 7233, uiPort: 8233 }),
  });
  onProgress(`Temporal listens at ${server.address}, its UI at ${server.uiUrl ?? '-'}`);
  return { ...server, uiUrl: server.uiUrl };
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
    // The first start: there is nothing to go on from.
    return undefined;
  }
  return parseSimulatorState(JSON.parse(text));
}

/**
 * Written whole and then renamed, so that a kill in the middle leaves the old state, not half of
 * one. For the owner's eyes only: the simulated tasks echo passwords, as the real ones do.
 */
function writeState(file: string, state: SimulatorState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function startWorker(
  {
    address,
    namespace,
    simulatorUrl,
    speed,
  }: RunningTemporal & { simulatorUrl: string; speed: number },
  signal: AbortSignal,
): Promise<void> {
  return runWorker({
    config: {
      apiKey: SIMULATOR_KEY,
      authScheme: 'apikey',
      baseUrl: simulatorUrl,
      ...PLACE,
      requestsPerSecond: 10,
      reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS / speed,
      notices: [],
    },
    temporal: { connectionOptions: { address }, namespace },
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / speed),
    logger: new DefaultLogger('ERROR'),
    signal,
  });
}
