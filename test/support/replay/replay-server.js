// JavaScript, because it runs as a separate process: start-temporal.js starts one for all tests.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

import { DEFAULT_API_KEY } from '../../../dist/simulator/index.js';
import { failedTasksIn } from './failed-tasks-in.js';
import { historiesOf } from './histories-of.js';
import { secretsIn } from './secrets-in.js';

/**
 * Replays runs for tests. A test sends a POST with the `address` and `namespace` of a Temporal server, the
 * `codePath` of a bundle and the `workflowIds` of runs. The answer has one text for each run: why the bundle no
 * longer makes the decisions that the run or its children recorded, which workflow tasks the code failed, and which events
 * show a secret that every test uses. The text is empty if all is well.
 *
 * In the process of a test a replay costs twice as much. The SDK replays on the main thread, where
 * jest maps every stack trace to its sources, and each scenario needs a worker that parses the bundle
 * again.
 */
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  // The SDK logs a warning for each history that does not replay. The caller gets it as the answer.
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  shutdownSignals: [],
});

/** Clients stay open until this process ends: one whose server has stopped is only an idle socket. */
const clients = new Map();
const replayers = new Map();

const server = createServer((request, response) => {
  // Use each connection once: a request gets lost if this end closes the connection at that moment.
  response.setHeader('connection', 'close');
  answer(request).then(
    (errors) => response.end(JSON.stringify(errors)),
    (error) => response.writeHead(500).end(String(error)),
  );
});

// The channel closes when the parent process ends, also when it crashes.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

async function answer(request) {
  const { address, namespace, codePath, workflowIds } = await json(request);
  const client = getOrCreate(clients, `${namespace}@${address}`, () =>
    createClient(address, namespace),
  );
  const replayer = getOrCreate(replayers, codePath, createReplayer);
  return Promise.all(workflowIds.map((id) => replayRun(historiesOf(client, id), replayer)));
}

function getOrCreate(all, key, make) {
  if (!all.has(key)) all.set(key, make(key));
  return all.get(key);
}

function createClient(address, namespace) {
  return new Client({ connection: Connection.lazy({ address }), namespace });
}

/** Replays one history after another, in a worker that parses the bundle once. */
function createReplayer(codePath) {
  let asked;
  async function* histories() {
    for (;;) yield asked;
  }
  let results;
  const replay = async (history) => {
    asked = history;
    results ??= Worker.runReplayHistories({ workflowBundle: { codePath } }, histories());
    try {
      // The worker takes a history only when it is asked for a result.
      const { value } = await results.next();
      return value.error;
    } catch (error) {
      // A history that does not replay is a result. A thrown error means that the worker has ended.
      results = undefined;
      throw error;
    }
  };
  let last = Promise.resolve();
  return (history) => {
    const result = last.then(() => replay(history));
    last = result.catch(() => undefined);
    return result;
  };
}

async function replayRun(histories, replayer) {
  const errors = [];
  for await (const { handle, history } of histories) {
    const { workflowId } = handle;
    const one = { workflowId, history };
    const error = await replayer(one);
    errors.push(...secretsIn(one, DEFAULT_API_KEY), ...failedTasksIn(one));
    if (error !== undefined) errors.push(`${workflowId} does not replay: ${error}`);
  }
  return errors.join('\n');
}
