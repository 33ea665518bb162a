import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';

import { Client, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, type Logger } from '@temporalio/worker';

import { createBreakers } from '../../src/activities/gcore-api.js';
import type { Operations } from '../../src/contract/operations/index.js';
import { forgetServerTime } from '../../src/engine/activities/attempt.js';
import type { EndedQuery } from '../../src/engine/core/names.js';
import { DEFAULT_API_KEY } from '../../src/simulator/index.js';
import {
  createAccountWorkers,
  createProcessParts,
  createWorkflowWorker,
  runWorkers,
} from '../../src/worker/create-workers.js';
import { createFileSecrets } from '../../src/worker/secrets/create-secret-source.js';
import { expectSchemas } from '../support/contract/expect-schemas.js';
import { refuseUndocumentedCalls } from '../support/http/documented-calls.js';
import { VOLUME_CALLS } from '../support/http/volume-calls.js';
import { failedTasksIn } from '../support/replay/failed-tasks-in.js';
import { historiesOf } from '../support/replay/histories-of.js';
import { secretsIn } from '../support/replay/secrets-in.js';
import {
  inScenario as inRealScenario,
  starterOf,
  type Scenario,
  type ScenarioOptions,
} from '../support/runs/scenario.js';
import { testPolicy } from '../support/runs/test-policy.js';
import { createManifestRoot, writeManifest } from '../support/worlds/manifests.js';
import { installCore } from './core/install-core.js';
import { createLink } from './core/link.js';
import { openCloud, type Cloud } from './scenario-cloud.js';
import { createServer } from './temporal/create-server.js';
import { simulate, type Simulation } from './time/run.js';

export type { Scenario, ScenarioOptions } from '../support/runs/scenario.js';

const BUILT_BUNDLE = resolve('dist/workflow-bundle.js');
const SECRETS_FOLDER = resolve('test/support/secrets/named');
/** For commands: they use the task queue and the namespace of the product. */
export const TEMPORAL_ADDRESS = 'temporal.simulated:7233';
const API_URL = 'http://api.simulated';
const SPEED = 100;
/** As the server of the other scenarios is started: everything is a hundred times as fast. */
const SHORTEST_TIMER_MS = 10;
/** A history that has lived for less lets the next one wait: a second of a server, a hundred times as fast. */
const CONTINUE_AS_NEW_MIN_MS = 10;
/** That of a development server. A cluster takes longer. */
const VISIBILITY_LAG_MS = 10;

/**
 * Runs `test` in its own scenario, on the simulated Temporal server and in virtual time: waiting costs nothing, and nothing
 * else runs meanwhile. In the end each run is replayed from its history. With ON_REAL_SERVER (`npm run test:real`) the same
 * test runs on a real server, as the tests of the project `integration` do.
 */
export const inScenario: typeof inRealScenario =
  process.env['ON_REAL_SERVER'] === undefined ? inSimulatedScenario : inRealScenario;

export interface SimulatedOptions extends ScenarioOptions {
  /** Of the cloud and of the worker. */
  apiKey?: string;
  /** Of the worker. */
  logger?: Logger;
}

/** The same, never on a real server: where commands are run, or where the log is read. */
export function inSimulatedScenario<T>(
  options: SimulatedOptions,
  test: (scenario: Scenario) => Promise<T>,
): Promise<T> {
  return simulate(options.seed ?? 1, async (simulation) => {
    forgetServerTime();
    const { clock, draw } = simulation;
    const server = createServer({
      clock,
      draw: draw.fork('server'),
      limits: {
        shortestTimerMs: SHORTEST_TIMER_MS,
        continueAsNewMinMs: CONTINUE_AS_NEW_MIN_MS,
        visibilityLagMs: options.visibilityLagMs ?? VISIBILITY_LAG_MS,
      },
    });
    const link = createLink(server, clock, draw.fork('link'));
    const nondeterminism: string[] = [];
    const core = installCore({
      clock,
      draw: draw.fork('core'),
      links: new Map([[`http://${TEMPORAL_ADDRESS}`, link]]),
      onNondeterminism: (text) => nondeterminism.push(text),
      ...(options.logger && { logger: options.logger }),
    });
    try {
      const result = await play(simulation, options, {
        test,
        replay: () => {
          core.evict();
        },
      });
      if (nondeterminism.length > 0) throw new Error(nondeterminism.join('\n'));
      return result;
    } finally {
      core.uninstall();
    }
  });
}

interface Playing<T> {
  test: (scenario: Scenario) => Promise<T>;
  /** Lets each run be replayed when it is asked next. */
  replay: () => void;
}

async function play<T>(
  simulation: Simulation,
  options: SimulatedOptions,
  { test, replay }: Playing<T>,
): Promise<T> {
  const { account = `test-${randomUUID().slice(0, 8)}`, manifests } = options;
  const { apiKey = DEFAULT_API_KEY } = options;
  const cloud = openCloud({ speed: SPEED, ...options });
  const manifestRoot = manifests && createManifestRoot(manifests);
  const connection = await simulation.until(
    NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
  );
  const client = new Client({ connection });
  const taskQueue = 'gcore-workflows';
  const stop = new AbortController();
  const ended = runScenarioWorkers(options, { account, manifestRoot, cloud, connection, stop });
  const start = starterOf({ client, account, taskQueue });
  const runs = rememberRuns();
  const { simulator } = cloud;
  const work = test({
    simulator,
    client,
    connectNative: () => NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
    api: { baseUrl: API_URL, apiKey },
    account,
    taskQueue,
    start: async (operation, ...request) =>
      runs.note(await start(operation, ...request), operation),
    startRaw: async (type, args, workflowId = `raw-${randomUUID()}`) =>
      runs.note(await client.workflow.start(type, { workflowId, taskQueue, args })),
    setListening: cloud.setListening,
    setCloudAhead: cloud.setAhead,
    writeManifest: (name, content) => {
      if (manifestRoot === undefined) throw new Error('The scenario needs `manifests`');
      writeManifest(manifestRoot, name, content);
    },
    mutations: () => simulator.mutations().map(({ method, path }) => `${method} ${path}`),
  });
  try {
    const result = await simulation.until(work);
    refuseUndocumentedCalls(simulator.requests, runs.operations);
    if (options.replays !== false) {
      replay();
      await simulation.until(checkRuns(client, runs.ids(), apiKey));
    }
    return result;
  } finally {
    stop.abort();
    // A scenario that goes on and on has no end: the files that follow must not have its cloud.
    await simulation.until(ended).finally(cloud.close);
  }
}

/**
 * Each run answers from its history, as do its earlier histories and its children; none shows a secret, the code has failed no
 * workflow task, and input and result are as the schemas say.
 */
async function checkRuns(client: Client, ids: readonly string[], apiKey: string): Promise<void> {
  const faults: string[] = [];
  for (const id of ids) {
    for await (const { handle, history } of historiesOf(client, id)) {
      await handle.query<unknown, [EndedQuery]>('__temporal_workflow_metadata', { ended: true });
      const run = { workflowId: handle.workflowId, history: { events: history.events ?? [] } };
      faults.push(...secretsIn(run, apiKey), ...failedTasksIn(run));
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await expectSchemas(client, ids);
}

function rememberRuns() {
  const handles: WorkflowHandle[] = [];
  const operations = new Map<string, keyof Operations>();
  return {
    operations,
    ids: () => [...new Set(handles.map(({ workflowId }) => workflowId))],
    note<H extends WorkflowHandle>(handle: H, operation?: keyof Operations): H {
      handles.push(handle);
      if (operation !== undefined) operations.set(handle.workflowId, operation);
      return handle;
    },
  };
}

interface Parts {
  account: string;
  manifestRoot: string | undefined;
  cloud: Cloud;
  connection: NativeConnection;
  stop: AbortController;
}

function prepareOf(options: SimulatedOptions) {
  const { webhooks, secretsPolicy, callApi = VOLUME_CALLS } = options;
  return {
    defaults: options.defaults ?? { projectId: 1, regionId: 1 },
    policy: testPolicy({ speed: SPEED, ...options }),
    callApi,
    ...(webhooks && { webhooks }),
    ...(secretsPolicy && { secretsPolicy }),
  };
}

async function runScenarioWorkers(options: SimulatedOptions, parts: Parts): Promise<void> {
  const { account: name, manifestRoot: root, cloud, connection, stop } = parts;
  const { workflows = BUILT_BUNDLE, watchWorker = true, timeoutMs = 2_000, breakers } = options;
  const { apiKey = DEFAULT_API_KEY, secretsFolder = SECRETS_FOLDER } = options;
  const shared = {
    connection,
    namespace: 'default',
    prepare: prepareOf(options),
    ...(root !== undefined && { manifests: { root } }),
  };
  const api = {
    baseUrl: API_URL,
    apiKey,
    timeoutMs,
    fetch: cloud.fetch,
    ...(breakers && { breakers: createBreakers(breakers) }),
    ...options.calls,
  };
  const workflowWorker = await createWorkflowWorker({
    ...shared,
    workflowBundle: { codePath: workflows },
    nexus: false,
  });
  const account = {
    name,
    requestsPerSecond: options.requestsPerSecond ?? 1_000,
    secrets: createFileSecrets(secretsFolder),
    api,
  };
  const accountWorkers = await createAccountWorkers(
    { ...shared, watches: watchWorker, ...createProcessParts(shared) },
    account,
  );
  await runWorkers([workflowWorker, ...accountWorkers], stop.signal);
}
