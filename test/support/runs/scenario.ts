import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, type WorkerOptions } from '@temporalio/worker';

import { createManifestReader } from '../../../src/activities/index.js';
import type { Operations } from '../../../src/contract/operations/index.js';
import {
  DEFAULT_POLL_POLICY,
  scalePollPolicy,
  type RunPolicy,
} from '../../../src/contract/run-policy.js';
import {
  createSimulator,
  type Listener,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import {
  createAccountWorkers,
  runWorkers,
  type AccountOptions,
} from '../../../src/worker/create-workers.js';
import { createDeciders } from '../workers/deciders.js';
import { recordHistory } from '../replay/record-history.js';
import { replayAll } from '../replay/replay-all.js';

/** Built by `npm run build`, which `npm test` runs first. */
const builtBundle = { codePath: resolve('dist/workflow-bundle.js') };

/** How much faster than in reality the simulated cloud works and the worker looks. */
const SPEED = 100;
const API_KEY = 'test-key';

/** A simulated cloud and an account of their own on the shared Temporal server. */
export interface Scenario {
  simulator: Simulator;
  client: Client;
  connection: NativeConnection;
  /** Where the simulator listens, and its key. */
  api: { baseUrl: string; apiKey: string };
  /** Account of this scenario, and nobody else's. */
  account: string;
  /** Of the worker that decides; the scenarios of a test file share it where they can. */
  taskQueue: string;
  /** Starts the operation under an id of its own; every history is replayed after the test. */
  start: <O extends keyof Operations>(
    operation: O,
    input: Omit<Operations[O]['input'], 'account'>,
    workflowId?: string,
  ) => Promise<WorkflowHandle<(input: unknown) => Promise<Operations[O]['result']>>>;
  /** Starts any workflow by name, input unparsed, as a client in another language does. */
  startRaw: (type: string, args: unknown[]) => Promise<WorkflowHandle>;
  /** Whether the simulator's port is open; while it is not, connections are refused. */
  setListening: (isListening: boolean) => Promise<void>;
  /** Mutations that reached the simulator, such as `POST /cloud/v2/instances/1/1`. */
  mutations: () => string[];
}

export interface ScenarioOptions {
  /** 1 is real time. */
  speed?: number;
  policy?: Partial<RunPolicy>;
  /** Other workflows than the product's. */
  workflowBundle?: NonNullable<WorkerOptions['workflowBundle']>;
  /** False: the worker that decides is this scenario's own, and has stopped after it. */
  sharesWorker?: boolean;
  /** False: runs ask for a watcher, but no worker has one. */
  watchWorker?: boolean;
  /** Look as a production worker does, whatever the speed. */
  realPolls?: boolean;
  /** False for a bench: replaying many histories takes long. */
  replays?: boolean;
  apiKey?: string;
  /** How the worker calls the API, beyond the other options. */
  calls?: Pick<AccountOptions['api'], 'breakers' | 'fetch'>;
  /** Told after every change of the simulated cloud. */
  onChange?: (state: SimulatorState) => void;
  seed?: number;
  /** What there is in the simulated cloud from the start. */
  state?: SimulatorState;
  /** See the option of the simulator. */
  patchWithoutFields?: 'keep' | 'clear';
  timeoutMs?: number;
  requestsPerSecond?: number;
  /** Directory below which manifests are read. */
  manifestRoot?: string;
  /** Share of videos that fail by chance. */
  videoFailureShare?: number;
  /** With RECORD_HISTORIES set to this name, the last run's history is stored (CONTRIBUTING.md). */
  record?: string;
}

const deciders = createDeciders();
let connections: Promise<{ client: Client; native: NativeConnection }> | undefined;

/** Runs `test` against a scenario of its own, then replays every history that it made. */
export async function inScenario(
  options: ScenarioOptions,
  test: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  connections ??= connect();
  const { client, native } = await connections;
  const { workflowBundle = builtBundle } = options;
  const simulator = createCloud(options);
  const first = await simulator.listen();
  const { url } = first;
  const port = Number(new URL(url).port);
  let listening: Listener | undefined = first;
  const setListening = async (isWanted: boolean): Promise<void> => {
    if (isWanted) listening ??= await simulator.listen({ port });
    else {
      await listening?.close();
      listening = undefined;
    }
  };
  const account = `test-${randomUUID().slice(0, 8)}`;
  const shared = {
    connection: native,
    namespace: 'default',
    prepare: { defaults: { projectId: 1, regionId: 1 }, policy: testPolicy(options) },
    manifests: createManifestReader({ root: options.manifestRoot }),
  };
  const key = JSON.stringify([shared.prepare, options.manifestRoot]);
  const own = options.sharesWorker === false ? createDeciders() : undefined;
  const taskQueue = await (own ?? deciders).queueFor(key, { ...shared, workflowBundle });
  const workers = await createAccountWorkers(
    { ...shared, watches: options.watchWorker ?? true },
    accountAt(url, account, options),
  );
  const handles: WorkflowHandle[] = [];
  const remember = <H extends WorkflowHandle>(handle: H): H => {
    handles.push(handle);
    return handle;
  };
  const stop = new AbortController();
  const running = runWorkers(workers, stop.signal);
  try {
    await test({
      simulator,
      client,
      connection: native,
      api: { baseUrl: url, apiKey: API_KEY },
      account,
      taskQueue,
      start: async (operation, input, workflowId = `${operation}-${randomUUID()}`) =>
        remember(
          await client.workflow.start(operation, {
            workflowId,
            taskQueue,
            args: [{ ...input, account }],
          }),
        ),
      startRaw: async (type, args) =>
        remember(
          await client.workflow.start(type, {
            workflowId: `raw-${randomUUID()}`,
            taskQueue,
            args,
          }),
        ),
      setListening,
      mutations: () => simulator.mutations().map(({ method, path }) => `${method} ${path}`),
    });
  } finally {
    stop.abort();
    await running;
    await own?.close();
    await setListening(false);
  }
  const ids = handles.map(({ workflowId }) => workflowId);
  if (options.replays !== false) await replayAll(client, ids, workflowBundle);
  const last = handles.at(-1);
  if (options.record !== undefined && last) recordHistory(options.record, last.workflowId);
}

function accountAt(baseUrl: string, name: string, options: ScenarioOptions): AccountOptions {
  const { apiKey = API_KEY, timeoutMs = 2_000, requestsPerSecond = 1_000, calls } = options;
  const api = { baseUrl, apiKey, timeoutMs, unexpectedRetryMs: 100, ...calls };
  return { name, api, requestsPerSecond };
}

function createCloud({ speed = SPEED, seed = 1, ...options }: ScenarioOptions): Simulator {
  const { state, onChange, patchWithoutFields = 'keep', videoFailureShare = 0 } = options;
  return createSimulator({
    patchWithoutFields,
    videoFailureShare,
    apiKey: API_KEY,
    timeScale: 1 / speed,
    seed,
    ...(state && { state }),
    ...(onChange && { onChange }),
  });
}

export async function closeScenarios(): Promise<void> {
  await deciders.close();
  const opened = await connections;
  connections = undefined;
  await opened?.native.close();
  await opened?.client.connection.close();
}

function testPolicy({ speed = SPEED, realPolls = false, policy }: ScenarioOptions): RunPolicy {
  return {
    poll: scalePollPolicy(DEFAULT_POLL_POLICY, realPolls ? 1 : 1 / speed),
    reconcileGraceMs: 500,
    longestRetryMs: 4_000,
    searchAttributes: true,
    watcher: true,
    traceTasks: true,
    ...policy,
  };
}

async function connect(): Promise<{ client: Client; native: NativeConnection }> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  return { client: new Client({ connection }), native };
}
