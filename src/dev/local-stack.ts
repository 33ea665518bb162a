import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DefaultLogger } from '@temporalio/worker';

import {
  loadDevConfig,
  loadTemporalConfig,
  type DevConfig,
  type TemporalConfig,
} from '../config.js';
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
  /** How to reach the Temporal server: address, namespace, TLS and key of an external one. */
  temporal: TemporalConfig;
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
  /** Ports of the Temporal server and its UI; free ones when left out. */
  port?: number;
  uiPort?: number;
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

/** An external server when TEMPORAL_ADDRESS names one, else an embedded one. */
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
  onProgress(`Temporal listens at ${address}, its UI at ${uiUrl ?? '-'}`);
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
