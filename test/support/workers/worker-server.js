// JavaScript, because start-temporal.js runs it as a separate process for all tests.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';

import { createBreakers } from '../../../dist/activities/gcore-api.js';
import {
  createAccountWorkers,
  createProcessParts,
  createWorkflowWorker,
  runWorkers,
} from '../../../dist/worker/create-workers.js';
import { createFileSecrets } from '../../../dist/worker/secrets/create-secret-source.js';
import { shareThreads } from './share-threads.js';

/**
 * Runs the workers of tests. A POST with `open` starts the workers of one account, described by
 * WorkersSpec of test-workers.ts. The answer has an id and the task queue of the workflow worker. A
 * POST with `close` and the id stops these workers. The answer comes when they have drained.
 *
 * In the process of a test, workers cost twice as much: each test file would load the SDK, start
 * threads that read the bundle, and map every stack trace to its sources.
 */
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
shareThreads();

const connections = new Map();
/** The task queue of each workflow worker that several tests share, by the options of the worker. */
const sharedQueues = new Map();
const opened = new Map();

const server = createServer((request, response) => {
  // Use each connection once: a request gets lost if this end closes the connection at that moment.
  response.setHeader('connection', 'close');
  answer(request).then(
    (result) => response.end(JSON.stringify(result)),
    (error) => response.writeHead(500).end(String(error)),
  );
});

// The channel closes when the parent process ends, also when it crashes.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

async function answer(request) {
  const { open: spec, close: id } = await json(request);
  if (spec !== undefined) return open(spec);
  const { stop, running } = opened.get(id);
  opened.delete(id);
  stop.abort();
  await Promise.all(running);
  return {};
}

async function open(spec) {
  const { address, namespace, prepare, watches, manifestRoot } = spec;
  const shared = {
    connection: await connectionTo(address),
    namespace,
    prepare,
    manifests: { root: manifestRoot },
  };
  const stop = new globalThis.AbortController();
  const running = [];
  const run = (workers) => {
    const ended = runWorkers(workers, stop.signal);
    // The POST with `close` reports this error.
    ended.catch(() => undefined);
    running.push(ended);
  };
  const workflowTaskQueue = await queueOf(spec, shared, (worker) => run([worker]));
  const process = createProcessParts({ ...shared, workflowTaskQueue });
  run(await createAccountWorkers({ ...shared, watches, ...process }, accountOf(spec)));
  const id = randomUUID();
  opened.set(id, { stop, running });
  return { id, taskQueue: workflowTaskQueue };
}

function connectionTo(address) {
  if (!connections.has(address)) connections.set(address, NativeConnection.connect({ address }));
  return connections.get(address);
}

/** The queue of the workflow worker: a shared one, or one that `runOwn` stops with the test. */
async function queueOf(spec, shared, runOwn) {
  const { address, namespace, codePath, taskQueue = newQueue(), prepare, manifestRoot } = spec;
  const { version } = spec;
  const start = () =>
    createWorkflowWorker({
      ...shared,
      workflowBundle: { codePath },
      workflowTaskQueue: taskQueue,
      ...(version && { version }),
    });
  if (!spec.sharesWorker || manifestRoot !== undefined) {
    runOwn(await start());
    return taskQueue;
  }
  const key = JSON.stringify([address, namespace, codePath, prepare]);
  if (!sharedQueues.has(key)) {
    const started = start().then((worker) => {
      worker.run().catch((error) => {
        process.stderr.write(`a shared workflow worker has ended: ${error}\n`);
      });
      return taskQueue;
    });
    sharedQueues.set(key, started);
  }
  return sharedQueues.get(key);
}

function newQueue() {
  return `test-${randomUUID().slice(0, 8)}`;
}

function accountOf({ account: { breakers, api, ...account }, secretsFolder }) {
  return {
    ...account,
    ...(secretsFolder && { secrets: createFileSecrets(secretsFolder) }),
    api: { ...api, ...(breakers && { breakers: createBreakers(breakers) }) },
  };
}
