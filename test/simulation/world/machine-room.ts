import { NativeConnection } from '@temporalio/worker';

import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { DEFAULT_RECONCILE_GRACE_MS } from '../../../src/engine/core/run-policy.js';
import { createWorkers, runWorkers } from '../../../src/worker/create-workers.js';
import { VOLUME_CALLS } from '../../support/http/volume-calls.js';
import type { Clock } from '../time/clock.js';
import { createProcess, type SimulatedProcess } from '../time/processes.js';
import { SECRET_NAME, SECRET_VALUE } from './requests.js';
import type { Story } from './story.js';

/** Where the simulated Temporal server is. */
export const TEMPORAL_ADDRESS = 'temporal.simulated:7233';
export const API_KEY = 'simulator-key';
const API_URL = 'http://api.simulated';

/** What a deployment may change. */
export interface WorkerSettings {
  watcher: boolean;
  requestsPerSecond: number;
  cachedRuns: number;
  /** Runs of the simulation end sooner with a shorter one, and a test of the simulation itself needs a wrong one. */
  reconcileGraceMs: number;
}

export const DEFAULT_WORKER_SETTINGS: WorkerSettings = {
  watcher: true,
  requestsPerSecond: 10,
  cachedRuns: 1_000,
  reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS,
};

/** A worker process. */
export interface WorkerProcess {
  readonly process: SimulatedProcess;
  /** Told to leave, as by SIGTERM; resolves when it has. */
  stop(): Promise<void>;
}

export interface MachineRoom {
  /** Starts a worker process; a killed one is followed by a new one after `restartMs`. */
  start(settings?: WorkerSettings): WorkerProcess;
  running(): readonly WorkerProcess[];
}

export interface MachineRoomOptions {
  clock: Clock;
  story: Story;
  fetch: typeof globalThis.fetch;
  bundle: string;
}

/** The worker processes of the product, each with the whole composition of `npm start`. */
export function createMachineRoom(options: MachineRoomOptions): MachineRoom {
  const { clock, story } = options;
  const all: WorkerProcess[] = [];
  let count = 0;
  return {
    running: () => all.filter(({ process }) => process.state !== 'killed'),
    start(settings = DEFAULT_WORKER_SETTINGS) {
      count += 1;
      const process = createProcess(`worker-${count}`, clock);
      const stop = new AbortController();
      const ended = process
        .run(() => runWorkerProcess(options, settings, stop.signal))
        .then(
          () => {
            story.tell(process.name, 'has left');
          },
          (error: unknown) => {
            story.tell(process.name, `has failed: ${String(error)}`);
            process.kill();
          },
        );
      story.tell(process.name, 'begins');
      const worker: WorkerProcess = {
        process,
        async stop() {
          process.run(() => {
            stop.abort();
          });
          await ended;
          process.kill();
        },
      };
      all.push(worker);
      return worker;
    },
  };
}

async function runWorkerProcess(
  { fetch, bundle }: MachineRoomOptions,
  settings: WorkerSettings,
  signal: AbortSignal,
): Promise<void> {
  const { watcher, requestsPerSecond, cachedRuns, reconcileGraceMs } = settings;
  const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS });
  const policy = {
    poll: DEFAULT_POLL_POLICY,
    reconcileGraceMs,
    searchAttributes: true,
    watcher,
    traceTasks: true,
  };
  const workers = await createWorkers({
    connection,
    namespace: 'default',
    workflowBundle: { codePath: bundle },
    prepare: {
      defaults: { projectId: 1, regionId: 1 },
      policy,
      secretsPolicy: 'allow',
      callApi: VOLUME_CALLS,
    },
    nexus: false,
    cachedRuns,
    accounts: [
      {
        name: 'default',
        api: { baseUrl: API_URL, apiKey: API_KEY, fetch },
        requestsPerSecond,
        secrets: {
          read: (name) =>
            Promise.resolve(
              name === SECRET_NAME
                ? {
                    is: 'found' as const,
                    text: SECRET_VALUE,
                    since: () => Promise.resolve(undefined),
                  }
                : { is: 'missing' as const, advice: 'There is one secret here.' },
            ),
        },
      },
    ],
  });
  await runWorkers(workers, signal);
  await connection.close();
}
