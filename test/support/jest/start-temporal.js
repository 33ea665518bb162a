// JavaScript, because jest loads a global setup outside the module system that finds ./x.ts for ./x.js.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { resolveTemporalExecutable } from '../../../dist/dev/temporal-executable.js';
import { startTemporalServer } from '../../../dist/dev/temporal-server.js';
import ownTempFolder from './own-temp-folder.js';

/**
 * Parts of a task queue, instead of four: those are for thousands of tasks a second, and most of the
 * queues of tests see ten in all. Another tenth of the server's processor time. The benches and
 * `fault-world.ts` have servers with four.
 */
const ONE_PARTITION = {
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/**
 * Starts the one Temporal server of all tests named `*.server.test.ts`, or takes a running one, and
 * the one process that replays their runs.
 */
export default async function startTemporal() {
  ownTempFolder();
  // Inherited by the processes that run the tests, which start after this.
  process.env.TEMPORAL_ADDRESS ??= await startServer();
  process.env.REPLAY_ADDRESS = await startReplays();
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
    dynamicConfig: ONE_PARTITION,
  });
  globalThis.stopTemporal = server.close;
  return server.address;
}

async function startReplays() {
  const replays = fork(new URL('../replay/replay-server.js', import.meta.url), { execArgv: [] });
  const ended = once(replays, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`the replay server ended with ${code}`);
  });
  const [port] = await Promise.race([once(replays, 'message'), failed]);
  failed.catch(() => undefined);
  globalThis.stopReplays = async () => {
    if (replays.connected) replays.disconnect();
    await ended;
  };
  return `http://127.0.0.1:${port}`;
}
