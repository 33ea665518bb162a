import { randomUUID } from 'node:crypto';

import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';

import { createBreakers } from '../../../src/activities/gcore-api.js';
import {
  createAccountWorkers,
  createProcessParts,
  createWorkflowWorker,
  runWorkers,
  type WorkflowWorkerOptions,
} from '../../../src/worker/create-workers.js';
import { createFileSecrets } from '../../../src/worker/secrets/create-secret-source.js';
import type { InProcess, TestWorkers, WorkersSpec } from './test-workers.js';

let connection: Promise<NativeConnection> | undefined;
/** The queues of workflow workers that several scenarios share, by the options of the worker. */
const sharedQueues = new Map<string, string>();
const running: Promise<void>[] = [];
let stopSharedWorkers = new AbortController();

async function open(spec: WorkersSpec, calls?: InProcess): Promise<TestWorkers> {
  const { namespace, prepare, watches, manifestRoot, codePath, taskQueue, sharesWorker } = spec;
  const { version, secretsFolder } = spec;
  const shared = {
    connection: await connect(spec.address),
    namespace,
    prepare,
    manifests: { root: manifestRoot },
  };
  const stop = new AbortController();
  const options = {
    ...shared,
    workflowBundle: { codePath },
    workflowTaskQueue: taskQueue ?? newQueue(),
    ...(version && { version }),
  };
  const own = sharesWorker ? [] : [await createWorkflowWorker(options)];
  const key = JSON.stringify([namespace, prepare, manifestRoot, codePath]);
  const workflowTaskQueue = sharesWorker
    ? await sharedQueue(key, options)
    : options.workflowTaskQueue;
  const { breakers, ...account } = spec.account;
  const accountWorkers = await createAccountWorkers(
    { ...shared, watches, ...createProcessParts({ ...shared, workflowTaskQueue }) },
    {
      ...account,
      ...(secretsFolder !== undefined && { secrets: createFileSecrets(secretsFolder) }),
      api: { ...account.api, ...(breakers && { breakers: createBreakers(breakers) }), ...calls },
    },
  );
  const ended = runWorkers([...own, ...accountWorkers], stop.signal);
  return {
    taskQueue: workflowTaskQueue,
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

function connect(address: string): Promise<NativeConnection> {
  connection ??= connectNative(address);
  return connection;
}

function connectNative(address: string): Promise<NativeConnection> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    // What the native part says goes to stdout, among the figures of a bench.
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
  return NativeConnection.connect({ address });
}

async function close(): Promise<void> {
  stopSharedWorkers.abort();
  await Promise.all(running.splice(0));
  sharedQueues.clear();
  stopSharedWorkers = new AbortController();
  await (await connection)?.close();
  connection = undefined;
}

function newQueue(): string {
  return `test-${randomUUID().slice(0, 8)}`;
}

/** The queue of a workflow worker that several scenarios share if their options are the same. */
async function sharedQueue(
  key: string,
  options: WorkflowWorkerOptions & { workflowTaskQueue: string },
): Promise<string> {
  const { workflowTaskQueue: taskQueue } = options;
  const shared = sharedQueues.get(key);
  if (shared !== undefined) return shared;
  sharedQueues.set(key, taskQueue);
  const worker = await createWorkflowWorker(options);
  running.push(runWorkers([worker], stopSharedWorkers.signal));
  return taskQueue;
}

/** Workers in this process, for benches and for tests that inspect them. */
export const inProcessWorkers = { open, connect, close };
