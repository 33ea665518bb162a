import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';

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
import { openLine, type Line } from '../http/open-line.js';
import { recordHistory } from '../replay/record-history.js';
import { replayAll } from '../replay/replay-all.js';
import type { InProcess } from '../workers/in-process-workers.js';
import { hasWorkerServer, openWorkers, type WorkersSpec } from '../workers/test-workers.js';

/** Built by `npm run build`, which comes before all tests with a server. */
const BUILT_BUNDLE = resolve('dist/workflow-bundle.js');

/** How much faster than in reality the simulated cloud works and the worker looks. */
const SPEED = 100;
const API_KEY = 'test-key';

/** A simulated cloud and an account of their own on the shared Temporal server. */
export interface Scenario {
  simulator: Simulator;
  client: Client;
  /** For workers in this process; closed with the scenarios. */
  connectNative: () => Promise<NativeConnection>;
  /** Where the simulator listens, and its key. */
  api: { baseUrl: string; apiKey: string };
  /** Account of this scenario, and nobody else's. */
  account: string;
  /** Of the worker that decides; scenarios share it where they can. */
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
  workflowBundle?: InProcess['workflowBundle'];
  /** False: the worker that decides is this scenario's own, and has stopped after it. */
  sharesWorker?: boolean;
  /** False: runs ask for a watcher, but no worker has one. */
  watchWorker?: boolean;
  /** Look as a production worker does, whatever the speed. */
  realPolls?: boolean;
  /** False for a bench: replaying many histories takes long. */
  replays?: boolean;
  apiKey?: string;
  /** How the worker calls the API, for tests that look into it: such a worker runs in this process. */
  calls?: InProcess['calls'];
  breakers?: WorkersSpec['account']['breakers'];
  /** What happens to each call on its way from the worker to the simulated cloud. */
  line?: Line;
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

let connection: Promise<Connection> | undefined;
const closing = new Set<() => Promise<void>>();

/** Runs `test` against a scenario of its own, then replays every history that it made. */
export async function inScenario(
  options: ScenarioOptions,
  test: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  connection ??= Connection.connect({ address: temporalAddress() });
  const client = new Client({ connection: await connection });
  const { workflowBundle = { codePath: BUILT_BUNDLE } } = options;
  const simulator = createCloud(options);
  const cloud = await openCloud(simulator);
  const line = options.line && (await openLine(cloud.url, options.line));
  const account = `test-${randomUUID().slice(0, 8)}`;
  const workers = await openScenarioWorkers(line?.url ?? cloud.url, account, options);
  const { taskQueue } = workers;
  const handles: WorkflowHandle[] = [];
  const remember = <H extends WorkflowHandle>(handle: H): H => {
    handles.push(handle);
    return handle;
  };
  try {
    await test({
      simulator,
      client,
      connectNative,
      api: { baseUrl: cloud.url, apiKey: API_KEY },
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
          await client.workflow.start(type, { workflowId: `raw-${randomUUID()}`, taskQueue, args }),
        ),
      setListening: cloud.setListening,
      mutations: () => simulator.mutations().map(({ method, path }) => `${method} ${path}`),
    });
  } finally {
    await workers.close();
    await line?.close();
    await cloud.setListening(false);
  }
  const ids = handles.map(({ workflowId }) => workflowId);
  if (options.replays !== false) await replayAll(client, ids, workflowBundle);
  const last = handles.at(-1);
  if (options.record !== undefined && last) recordHistory(options.record, last.workflowId);
}

async function openCloud(simulator: Simulator) {
  const first = await simulator.listen();
  const { url } = first;
  const port = Number(new URL(url).port);
  let listening: Listener | undefined = first;
  return {
    url,
    setListening: async (isWanted: boolean): Promise<void> => {
      if (isWanted) listening ??= await simulator.listen({ port });
      else {
        await listening?.close();
        listening = undefined;
      }
    },
  };
}

/** In the process that runs workers for all tests, where there is one and it can. */
async function openScenarioWorkers(baseUrl: string, name: string, options: ScenarioOptions) {
  const { calls, workflowBundle } = options;
  const spec = specOf(baseUrl, name, options);
  const isInFile = workflowBundle === undefined || 'codePath' in workflowBundle;
  if (hasWorkerServer() && calls === undefined && isInFile) return openWorkers(spec);
  // Only where it is needed: the SDK for workers takes long to load.
  const { closeInProcess, openInProcess } = await import('../workers/in-process-workers.js');
  closing.add(closeInProcess);
  return openInProcess(spec, {
    ...(workflowBundle && { workflowBundle }),
    ...(calls && { calls }),
  });
}

function specOf(baseUrl: string, name: string, options: ScenarioOptions): WorkersSpec {
  const { apiKey = API_KEY, timeoutMs = 2_000, requestsPerSecond = 1_000, breakers } = options;
  const { sharesWorker = true, watchWorker = true, workflowBundle, manifestRoot } = options;
  const isInFile = workflowBundle !== undefined && 'codePath' in workflowBundle;
  return {
    address: temporalAddress(),
    namespace: 'default',
    codePath: isInFile ? workflowBundle.codePath : BUILT_BUNDLE,
    sharesWorker,
    prepare: { defaults: { projectId: 1, regionId: 1 }, policy: testPolicy(options) },
    ...(manifestRoot !== undefined && { manifestRoot }),
    watches: watchWorker,
    account: {
      name,
      requestsPerSecond,
      api: { baseUrl, apiKey, timeoutMs, unexpectedRetryMs: 100 },
      ...(breakers && { breakers }),
    },
  };
}

async function connectNative(): Promise<NativeConnection> {
  const { closeInProcess, nativeConnection } = await import('../workers/in-process-workers.js');
  closing.add(closeInProcess);
  return nativeConnection(temporalAddress());
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
  for (const close of closing) await close();
  closing.clear();
  await (await connection)?.close();
  connection = undefined;
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

function temporalAddress(): string {
  return process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
}
