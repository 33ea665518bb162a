// JavaScript, because jest loads a global setup without the resolver that finds ./x.ts for ./x.js.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { resolveTemporalExecutable } from '../../../dist/dev/temporal-executable.js';
import { startTemporalServer } from '../../../dist/dev/temporal-server.js';
import ownTempFolder from './own-temp-folder.js';

/** Only for the server that the tests share. The benches and `fault-world.ts` use the defaults. */
const SHARED_SERVER_CONFIG = {
  // The default of four partitions is for thousands of tasks a second. Most queues of tests see ten
  // tasks in all. One partition saves a tenth of the server's processor time.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // The default is ten a second. Each run asks once when it starts, and all tests share a namespace.
  'frontend.namespaceRPS.visibility': 1_000,
};

/**
 * Starts what all `*.server.test.ts` files share: the Temporal server (or uses a running one), the
 * process that runs their workers, and the process that replays their runs.
 */
export default async function startTemporal() {
  ownTempFolder();
  // The processes that run tests start later and inherit these variables.
  process.env.TEMPORAL_ADDRESS ??= await startServer();
  globalThis.stopHelpers = [];
  process.env.WORKERS_ADDRESS = await startHelper('../workers/worker-server.js');
  process.env.REPLAY_ADDRESS = await startHelper('../replay/replay-server.js');
}

async function startServer() {
  // The server needs half a processor. Go's garbage collector took a tenth of all processor time of
  // the tests, and handing work from thread to thread took another tenth.
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
    dynamicConfig: SHARED_SERVER_CONFIG,
  });
  globalThis.stopTemporal = server.close;
  return server.address;
}

/** Starts a process that tests call over HTTP. It ends when this process ends. */
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
