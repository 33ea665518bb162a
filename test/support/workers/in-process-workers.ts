import { randomUUID } from 'node:crypto';

import { DefaultLogger, NativeConnection, Runtime, type WorkerOptions } from '@temporalio/worker';

import { createBreakers } from '../../../src/activities/gcore-api.js';
import { createManifestReader } from '../../../src/activities/index.js';
import {
  createAccountWorkers,
  createWorkflowWorker,
  runWorkers,
  type AccountOptions,
  type WorkflowWorkerOptions,
} from '../../../src/worker/create-workers.js';
import { createFileSecrets } from '../../../src/worker/secrets/create-secret-source.js';
import type { TestWorkers, WorkersSpec } from './test-workers.js';

export type WorkflowBundle = NonNullable<WorkerOptions['workflowBundle']>;

/** Options that cannot be sent to another process. */
export interface InProcess {
  workflowBundle?: WorkflowBundle;
  calls?: Pick<AccountOptions['api'], 'breakers' | 'fetch' | 'observer'>;
}

/** What the scenarios of one shared worker have in common. */
interface Shared {
  key: string;
  /** `undefined` for the built one: an equal object would be another bundle. */
  workflowBundle: WorkflowBundle | undefined;
}

interface SharedWorker extends Shared {
  taskQueue: string;
}

let connection: Promise<NativeConnection> | undefined;
const sharedWorkers: SharedWorker[] = [];
const running: Promise<void>[] = [];
let stopSharedWorkers = new AbortController();

/** Starts workers in this process, for benches and for tests that inspect them. */
export async function openInProcess(spec: WorkersSpec, here: InProcess): Promise<TestWorkers> {
  const { namespace, prepare, watches, manifestRoot, codePath, taskQueue, sharesWorker } = spec;
  const { version } = spec;
  const shared = {
    connection: await nativeConnection(spec.address),
    namespace,
    prepare,
    manifests: createManifestReader({ root: manifestRoot }),
  };
  const { workflowBundle = { codePath }, calls } = here;
  const stop = new AbortController();
  const options = {
    ...shared,
    workflowBundle,
    workflowTaskQueue: taskQueue ?? newQueue(),
    ...(version && { version }),
  };
  const own = sharesWorker ? [] : [await createWorkflowWorker(options)];
  const { breakers, ...account } = spec.account;
  const { secretsFolder } = spec;
  const accountWorkers = await createAccountWorkers(
    { ...shared, watches },
    {
      ...account,
      ...(secretsFolder !== undefined && { secrets: createFileSecrets(secretsFolder) }),
      api: { ...account.api, ...(breakers && { breakers: createBreakers(breakers) }), ...calls },
    },
  );
  const ended = runWorkers([...own, ...accountWorkers], stop.signal);
  const key = JSON.stringify([namespace, prepare, manifestRoot, codePath]);
  const common = { key, workflowBundle: here.workflowBundle };
  return {
    taskQueue: sharesWorker ? await sharedQueue(common, options) : options.workflowTaskQueue,
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

export function nativeConnection(address: string): Promise<NativeConnection> {
  connection ??= connect(address);
  return connection;
}

function connect(address: string): Promise<NativeConnection> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    // What the native part says goes to stdout, among the figures of a bench.
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  return NativeConnection.connect({ address });
}

export async function closeInProcess(): Promise<void> {
  stopSharedWorkers.abort();
  await Promise.all(running.splice(0));
  sharedWorkers.splice(0);
  stopSharedWorkers = new AbortController();
  await (await connection)?.close();
  connection = undefined;
}

function newQueue(): string {
  return `test-${randomUUID().slice(0, 8)}`;
}

/** The queue of a workflow worker that several scenarios share if their options are the same. */
async function sharedQueue(
  { key, workflowBundle }: Shared,
  options: WorkflowWorkerOptions & { workflowTaskQueue: string },
): Promise<string> {
  const { workflowTaskQueue: taskQueue } = options;
  const same = sharedWorkers.find(
    (worker) => worker.key === key && worker.workflowBundle === workflowBundle,
  );
  if (same !== undefined) return same.taskQueue;
  sharedWorkers.push({ key, workflowBundle, taskQueue });
  const worker = await createWorkflowWorker(options);
  running.push(runWorkers([worker], stopSharedWorkers.signal));
  return taskQueue;
}
