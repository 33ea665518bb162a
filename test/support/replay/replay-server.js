// JavaScript, because it runs as a process of its own: started by start-temporal.js for all tests.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/**
 * Replays for tests, which send a POST with the `address` of a Temporal server, the `codePath` of a
 * bundle and the `workflowIds` of runs. It answers with one text for each run: why the bundle no longer
 * makes the decisions that the run or its children recorded, empty where it does.
 *
 * In the process of a test they cost twice as much: the SDK replays on the main thread, where jest maps
 * every stack trace to its sources, and each scenario needs a worker that parses the bundle again.
 */
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  // It warns of every history that does not replay; who asked is told.
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  shutdownSignals: [],
});

/** Never closed: what a world of its own left behind is an idle socket, gone with this process. */
const clients = new Map();
const replayers = new Map();

const server = createServer((request, response) => {
  // What is sent on a connection that this end is just closing is lost; so none is used twice.
  response.setHeader('connection', 'close');
  answer(request).then(
    (errors) => response.end(JSON.stringify(errors)),
    (error) => response.writeHead(500).end(String(error)),
  );
});

// The channel closes with the process that started this one, in whatever way it ends.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

async function answer(request) {
  const { address, codePath, workflowIds } = await json(request);
  const client = kept(clients, address, createClient);
  const replayer = kept(replayers, codePath, createReplayer);
  return Promise.all(workflowIds.map((id) => replayRun(historiesOf(client, id), replayer)));
}

function kept(all, key, make) {
  if (!all.has(key)) all.set(key, make(key));
  return all.get(key);
}

function createClient(address) {
  return new Client({ connection: Connection.lazy({ address }) });
}

/** Replays one history after the other, in a worker that has parsed the bundle once. */
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
      // The worker takes a history when it is asked for a result, and never before.
      const { value } = await results.next();
      return value.error;
    } catch (error) {
      // A history that does not replay is a result. What is thrown has ended the worker.
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
  for await (const history of histories) {
    const error = await replayer(history);
    if (error !== undefined) errors.push(`${history.workflowId} does not replay: ${error}`);
  }
  return errors.join('\n');
}

/** As in replay-all.ts, which a process without jest cannot read. */
async function* historiesOf(client, workflowId) {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  yield { workflowId, history };
  for (const { childWorkflowExecutionStartedEventAttributes: started } of history.events ?? []) {
    const child = started?.workflowExecution;
    if (!child) continue;
    const handle = client.workflow.getHandle(child.workflowId, child.runId);
    yield { workflowId: child.workflowId, history: await handle.fetchHistory() };
  }
}
