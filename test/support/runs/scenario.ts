import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';

import type { Operations } from '../../../src/contract/operations/index.js';
import type { RunPolicy } from '../../../src/engine/core/run-policy.js';
import {
  createSimulator,
  type Listener,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import { openFacts, type OpenFacts } from '../../../src/simulator/state/open-facts.js';
import { refuseUndocumentedCalls } from '../http/documented-calls.js';
import { openLine, type Line } from '../http/open-line.js';
import { recordHistory } from '../replay/record-history.js';
import { checkHistories } from '../replay/check-histories.js';
import type { InProcess } from '../workers/in-process-workers.js';
import { hasWorkerServer, openWorkers, type WorkersSpec } from '../workers/test-workers.js';
import { testPolicy } from './test-policy.js';

/** The output of `npm run build`, which runs before all tests with a server. */
const BUILT_BUNDLE = resolve('dist/workflow-bundle.js');

/** Speed of the simulated cloud and of the worker's polls. 1 is real time. */
const SPEED = 100;
const API_KEY = 'test-key';

/** A test's own simulated cloud and account, on the shared Temporal server. */
export interface Scenario {
  simulator: Simulator;
  client: Client;
  /** A connection for workers in this process. `closeScenarios` closes it. */
  connectNative: () => Promise<NativeConnection>;
  /** The address of the simulator, and its key. */
  api: { baseUrl: string; apiKey: string };
  /** The account of this scenario. No other scenario uses it. */
  account: string;
  /** The queue of the workflow worker. Scenarios share that worker if they can. */
  taskQueue: string;
  /** Starts the operation under a new Workflow Id. Every history is checked after the test. */
  start: <O extends keyof Operations>(
    operation: O,
    input: Omit<Operations[O]['input'], 'account'>,
    workflowId?: string,
  ) => Promise<WorkflowHandle<(input: unknown) => Promise<Operations[O]['result']>>>;
  /** Starts a workflow by name with an unchecked input, as a client in another language does. */
  startRaw: (type: string, args: unknown[], workflowId?: string) => Promise<WorkflowHandle>;
  /** Opens or closes the simulator's port. A closed port refuses connections. */
  setListening: (isListening: boolean) => Promise<void>;
  /** Mutations that reached the simulator, such as `POST /cloud/v2/instances/1/1`. */
  mutations: () => string[];
}

export interface ScenarioOptions
  extends
    Partial<OpenFacts>,
    Pick<WorkersSpec, 'manifestRoot' | 'secretsFolder'>,
    Pick<WorkersSpec['prepare'], 'webhooks' | 'secretsPolicy'> {
  /** 1 is real time. */
  speed?: number;
  policy?: Partial<RunPolicy>;
  /** Workflows to use instead of the product's. */
  workflowBundle?: InProcess['workflowBundle'];
  /** False: this scenario has its own workflow worker, which stops with it. */
  sharesWorker?: boolean;
  /** False: runs ask for a watcher, but no worker has one. */
  watchWorker?: boolean;
  /** True: poll as a production worker does, whatever the speed. */
  realPolls?: boolean;
  /** False for a bench, because replays of many histories take long. */
  replays?: boolean;
  apiKey?: string;
  account?: string;
  /** How the worker calls the API, for tests that inspect it. Such a worker runs in this process. */
  calls?: InProcess['calls'];
  breakers?: WorkersSpec['account']['breakers'];
  /** Handles each call on its way from the worker to the simulated cloud. */
  line?: Line;
  /** Called after every change of the simulated cloud. */
  onChange?: (state: SimulatorState) => void;
  seed?: number;
  /** The simulated cloud at the start. */
  state?: SimulatorState;
  /** How far the clock of the cloud is ahead. */
  cloudAheadMs?: number;
  timeoutMs?: number;
  requestsPerSecond?: number;
  /** Share of videos that fail by chance. */
  videoFailureShare?: number;
  /** If RECORD_HISTORIES has this name, the last run's history is stored (CONTRIBUTING.md). */
  record?: string;
}

let connection: Promise<Connection> | undefined;
const closing = new Set<() => Promise<void>>();

/** Runs `test` in its own scenario, then checks every history that it made. Resolves with what the test returns. */
export async function inScenario<T>(
  options: ScenarioOptions,
  test: (scenario: Scenario) => Promise<T>,
): Promise<T> {
  connection ??= Connection.connect({ address: temporalAddress() });
  const client = new Client({ connection: await connection });
  const { workflowBundle = { codePath: BUILT_BUNDLE } } = options;
  const simulator = createCloud(options);
  const cloud = await openCloud(simulator);
  const line = options.line && (await openLine(cloud.url, options.line));
  const { account = `test-${randomUUID().slice(0, 8)}` } = options;
  const workers = await openScenarioWorkers(line?.url ?? cloud.url, account, options);
  const { taskQueue } = workers;
  const handles: WorkflowHandle[] = [];
  const operations = new Map<string, keyof Operations>();
  const remember = <H extends WorkflowHandle>(handle: H): H => {
    handles.push(handle);
    return handle;
  };
  let result: T;
  try {
    result = await test({
      simulator,
      client,
      connectNative,
      api: { baseUrl: cloud.url, apiKey: API_KEY },
      account,
      taskQueue,
      start: async (operation, input, workflowId = `${operation}-${randomUUID()}`) => {
        operations.set(workflowId, operation);
        const args = [{ ...input, account }] as const;
        return remember(await client.workflow.start(operation, { workflowId, taskQueue, args }));
      },
      startRaw: async (type, args, workflowId = `raw-${randomUUID()}`) =>
        remember(await client.workflow.start(type, { workflowId, taskQueue, args })),
      setListening: cloud.setListening,
      mutations: () => simulator.mutations().map(({ method, path }) => `${method} ${path}`),
    });
  } finally {
    await workers.close();
    await line?.close();
    await cloud.setListening(false);
  }
  refuseUndocumentedCalls(simulator.requests, operations);
  const ids = handles.map(({ workflowId }) => workflowId);
  if (options.replays !== false) await checkHistories(client, ids, workflowBundle);
  const last = handles.at(-1);
  if (options.record !== undefined && last) recordHistory(options.record, last.workflowId);
  return result;
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

/** Starts the workers in the process that runs them for all tests if possible, otherwise here. */
async function openScenarioWorkers(baseUrl: string, name: string, options: ScenarioOptions) {
  const { calls, workflowBundle } = options;
  const spec = specOf(baseUrl, name, options);
  const isInFile = workflowBundle === undefined || 'codePath' in workflowBundle;
  if (hasWorkerServer() && calls === undefined && isInFile) return openWorkers(spec);
  // Imported only when needed, because the SDK for workers takes long to load.
  const { closeInProcess, openInProcess } = await import('../workers/in-process-workers.js');
  closing.add(closeInProcess);
  return openInProcess(spec, {
    ...(workflowBundle && { workflowBundle }),
    ...(calls && { calls }),
  });
}

function given({ webhooks, secretsPolicy }: ScenarioOptions) {
  return { ...(webhooks && { webhooks }), ...(secretsPolicy && { secretsPolicy }) };
}

function specOf(baseUrl: string, name: string, options: ScenarioOptions): WorkersSpec {
  const { apiKey = API_KEY, timeoutMs = 2_000, requestsPerSecond = 1_000, breakers } = options;
  const {
    sharesWorker = true,
    watchWorker = true,
    workflowBundle,
    manifestRoot,
    secretsFolder,
  } = options;
  const isInFile = workflowBundle !== undefined && 'codePath' in workflowBundle;
  return {
    address: temporalAddress(),
    namespace: 'default',
    codePath: isInFile ? workflowBundle.codePath : BUILT_BUNDLE,
    sharesWorker,
    prepare: {
      defaults: { projectId: 1, regionId: 1 },
      policy: testPolicy({ speed: SPEED, ...options }),
      ...given(options),
    },
    ...(manifestRoot !== undefined && { manifestRoot }),
    ...(secretsFolder !== undefined && { secretsFolder }),
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
  const { state, onChange, videoFailureShare = 0, cloudAheadMs = 0 } = options;
  return createSimulator({
    ...openFacts(options),
    videoFailureShare,
    now: () => Date.now() + cloudAheadMs,
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

function temporalAddress(): string {
  return process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
}

// Called by `ScenarioEnvironment`. A bench closes by itself.
Object.assign(globalThis, { closeScenarios });
