// JavaScript, because jest loads a global setup outside the module system that finds ./x.ts for ./x.js.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { resolveTemporalExecutable } from '../../../dist/dev/temporal-executable.js';
import { startTemporalServer } from '../../../dist/dev/temporal-server.js';
import ownTempFolder from './own-temp-folder.js';

/** The benches and `fault-world.ts` have servers without these. */
const FOR_MANY_TESTS = {
  // Parts of a task queue, instead of four: those are for thousands of tasks a second, and most of
  // the queues of tests see ten in all. Another tenth of the server's processor time.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // Instead of ten a second. Each run asks once when it starts, and the tests share one namespace.
  'frontend.namespaceRPS.visibility': 1_000,
};

/**
 * Starts the one Temporal server of all tests named `*.server.test.ts`, or takes a running one, the one
 * process with their workers, and the one that replays their runs.
 */
export default async function startTemporal() {
  ownTempFolder();
  // Inherited by the processes that run the tests, which start after this.
  process.env.TEMPORAL_ADDRESS ??= await startServer();
  globalThis.stopHelpers = [];
  process.env.WORKERS_ADDRESS = await startHelper('../workers/worker-server.js');
  process.env.REPLAY_ADDRESS = await startHelper('../replay/replay-server.js');
}

async function startServer() {
  // A tenth of all processor time of the tests was Go's garbage collector, and another one what its
  // threads take to hand work to each other: the server has use for half a processor.
  process.env.GOGC ??= '400';
  process.env.GOMAXPROCS ??= '1';
  const { path } = await resolveTemporalExecutable({
    cliPath: process.env.TEMPORAL_CLI_PATH,
    path: process.env.PATH,
    onProgress: (message) => process.stderr.write(`${message}\n`),
  });
  const server = await startTemporalServer({
    executable: path,
    exactTimers: true,
    dynamicConfig: FOR_MANY_TESTS,
  });
  globalThis.stopTemporal = server.close;
  return server.address;
}

/** A process that tests ask over HTTP; ends with this one. */
async function startHelper(path) {
  const helper = fork(new URL(path, import.meta.url), { execArgv: [] });
  const ended = once(helper, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`${path} ended with ${code}`);
  });
  const [port] = await Promise.race([once(helper, 'message'), failed]);
  failed.catch(() => undefined);
  globalThis.stopHelpers.push(async () => {
    if (helper.connected) helper.disconnect();
    await ended;
  });
  return `http://127.0.0.1:${port}`;
}
