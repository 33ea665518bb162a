import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';

import type { Operations } from '../../../src/contract/operations/index.js';
import {
  createSimulator,
  DEFAULT_API_KEY,
  type Listener,
  type Simulator,
  type SimulatorOptions,
} from '../../../src/simulator/index.js';
import type { OpenFacts } from '../../../src/simulator/state/open-facts.js';
import { expectSchemas } from '../contract/expect-schemas.js';
import { refuseUndocumentedCalls } from '../http/documented-calls.js';
import { openLine, type Line } from '../http/open-line.js';
import { VOLUME_CALLS } from '../http/volume-calls.js';
import { recordHistory } from '../replay/record-history.js';
import { replayAll } from '../replay/replay-all.js';
import { closeWorkers, nativeConnection, openWorkers } from '../workers/open-workers.js';
import type { InProcess, WorkersSpec } from '../workers/test-workers.js';
import { createManifestRoot, writeManifest, type ManifestContent } from '../worlds/manifests.js';
import { testPolicy, type TestPolicyOptions } from './test-policy.js';

/** The output of `npm run build`, which runs before all tests with a server. */
const BUILT_BUNDLE = resolve('dist/workflow-bundle.js');

/** The secrets that plain requests name. */
const SECRETS_FOLDER = resolve('test/support/secrets/named');

/** Speed of the simulated cloud and of the worker's polls. 1 is real time. */
const SPEED = 100;

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
  /** Lets the clock of the cloud be so far ahead of ours. */
  setCloudAhead: (ms: number) => void;
  /** Writes one of the `manifests` anew, or adds one. */
  writeManifest: (name: string, content: ManifestContent) => void;
  /** Mutations that reached the simulator, such as `POST /cloud/v2/instances/1/1`. */
  mutations: () => string[];
}

interface CloudOptions
  extends Partial<OpenFacts>, Pick<SimulatorOptions, 'state' | 'seed' | 'onChange'> {
  /** 1 is real time. */
  speed?: number;
}

interface WorkerOptions
  extends
    TestPolicyOptions,
    Pick<WorkersSpec, 'secretsFolder'>,
    Pick<WorkersSpec['prepare'], 'webhooks' | 'secretsPolicy' | 'callApi'>,
    Partial<Pick<WorkersSpec['prepare'], 'defaults'>>,
    Pick<WorkersSpec['account'], 'breakers'> {
  account?: string;
  /** The worker reads these manifests: `file:a.jsonl` is the first one of `{ 'a.jsonl': items }`. */
  manifests?: Readonly<Record<string, ManifestContent>>;
  /** A file with the workflows to use instead of the product's. */
  workflows?: string;
  /** False: runs ask for a watcher, but no worker has one. */
  watchWorker?: boolean;
  timeoutMs?: number;
  requestsPerSecond?: number;
  /** How the worker calls the API, for tests that inspect it. Such a worker runs in this process. */
  calls?: InProcess;
  /** Handles each call on its way from the worker to the simulated cloud. */
  line?: Line;
}

export interface ScenarioOptions extends CloudOptions, WorkerOptions {
  /** False for a bench, because replays of many histories take long. */
  replays?: boolean;
  /** How far the lists of runs are behind at most; on the simulated server only. */
  visibilityLagMs?: number;
  /** If RECORD_HISTORIES has this name, the last run's history is stored (CONTRIBUTING.md). */
  record?: string;
}

let connection: Promise<Connection> | undefined;

/** Runs `test` in its own scenario, then checks every history that it made. Resolves with what the test returns. */
export async function inScenario<T>(
  options: ScenarioOptions,
  test: (scenario: Scenario) => Promise<T>,
): Promise<T> {
  connection ??= Connection.connect({ address: temporalAddress() });
  const client = new Client({ connection: await connection });
  const cloud = await openCloud(options);
  const { simulator, url: baseUrl } = cloud;
  const line = options.line && (await openLine(baseUrl, options.line));
  const { account = `test-${randomUUID().slice(0, 8)}` } = options;
  const manifestRoot = options.manifests && createManifestRoot(options.manifests);
  const spec = specOf({ ...options, baseUrl: line?.url ?? baseUrl, account, manifestRoot });
  const workers = await openWorkers(spec, options.calls);
  const { taskQueue } = workers;
  const start = starterOf({ client, account, taskQueue });
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
      connectNative: () => nativeConnection(temporalAddress()),
      api: { baseUrl, apiKey: DEFAULT_API_KEY },
      account,
      taskQueue,
      start: async (operation, ...request) => {
        const run = await start(operation, ...request);
        operations.set(run.workflowId, operation);
        return remember(run);
      },
      startRaw: async (type, args, workflowId = `raw-${randomUUID()}`) =>
        remember(await client.workflow.start(type, { workflowId, taskQueue, args })),
      setListening: cloud.setListening,
      setCloudAhead: cloud.setAhead,
      writeManifest: (name, content) => {
        if (manifestRoot === undefined) throw new Error('The scenario needs `manifests`');
        writeManifest(manifestRoot, name, content);
      },
      mutations: () => simulator.mutations().map(({ method, path }) => `${method} ${path}`),
    });
  } finally {
    await workers.close();
    await line?.close();
    await cloud.setListening(false);
  }
  refuseUndocumentedCalls(simulator.requests, operations);
  const ids = handles.map(({ workflowId }) => workflowId);
  if (options.replays !== false) {
    await replayAll(client, ids, { codePath: spec.codePath });
    await expectSchemas(client, ids);
  }
  const last = handles.at(-1);
  if (options.record !== undefined && last) recordHistory(options.record, last.workflowId);
  return result;
}

/** Starts runs of an account on a queue. */
export function starterOf({
  client,
  account,
  taskQueue,
}: Pick<Scenario, 'client' | 'account' | 'taskQueue'>): Scenario['start'] {
  return (operation, input, workflowId = `${operation}-${randomUUID()}`) =>
    client.workflow.start(operation, { workflowId, taskQueue, args: [{ ...input, account }] });
}

async function openCloud({ speed = SPEED, ...options }: CloudOptions) {
  let aheadMs = 0;
  const simulator = createSimulator({
    unknownFields: 'refused',
    ...options,
    now: () => Date.now() + aheadMs,
    timeScale: 1 / speed,
  });
  const first = await simulator.listen();
  const { url } = first;
  const port = Number(new URL(url).port);
  let listening: Listener | undefined = first;
  return {
    simulator,
    url,
    setAhead: (ms: number): void => {
      aheadMs = ms;
    },
    setListening: async (isWanted: boolean): Promise<void> => {
      if (isWanted) listening ??= await simulator.listen({ port });
      else {
        await listening?.close();
        listening = undefined;
      }
    },
  };
}

interface Opened {
  baseUrl: string;
  account: string;
  manifestRoot: string | undefined;
}

function specOf(options: WorkerOptions & Opened): WorkersSpec {
  const { workflows = BUILT_BUNDLE, watchWorker = true, timeoutMs = 2_000 } = options;
  const {
    webhooks,
    secretsPolicy,
    secretsFolder = SECRETS_FOLDER,
    manifestRoot,
    breakers,
    callApi = VOLUME_CALLS,
    defaults = { projectId: 1, regionId: 1 },
  } = options;
  const { baseUrl, account, requestsPerSecond = 1_000 } = options;
  return {
    address: temporalAddress(),
    namespace: 'default',
    codePath: workflows,
    sharesWorker: true,
    prepare: {
      defaults,
      policy: testPolicy({ speed: SPEED, ...options }),
      callApi,
      ...(webhooks && { webhooks }),
      ...(secretsPolicy && { secretsPolicy }),
    },
    ...(manifestRoot !== undefined && { manifestRoot }),
    secretsFolder,
    watches: watchWorker,
    account: {
      name: account,
      requestsPerSecond,
      api: { baseUrl, apiKey: DEFAULT_API_KEY, timeoutMs },
      ...(breakers && { breakers }),
    },
  };
}

export async function closeScenarios(): Promise<void> {
  await closeWorkers();
  await (await connection)?.close();
  connection = undefined;
}

export function temporalAddress(): string {
  return process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
}

// Called by `ScenarioEnvironment`. A bench closes by itself.
Object.assign(globalThis, { closeScenarios });
