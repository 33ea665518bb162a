// JavaScript, because jest loads a global setup outside the module system that finds ./x.ts for ./x.js.
import { resolveTemporalExecutable } from '../../dist/dev/temporal-executable.js';
import { startTemporalServer } from '../../dist/dev/temporal-server.js';

/** Starts the one Temporal server of all tests named `*.server.test.ts`, or takes a running one. */
export default async function startTemporal() {
  if (process.env.TEMPORAL_ADDRESS !== undefined) return;
  const { path } = await resolveTemporalExecutable({
    cliPath: process.env.TEMPORAL_CLI_PATH,
    path: process.env.PATH,
    onProgress: (message) => process.stderr.write(`${message}\n`),
  });
  const server = await startTemporalServer({ executable: path, exactTimers: true });
  globalThis.stopTemporal = server.close;
  // Inherited by the processes that run the tests, which start after this.
  process.env.TEMPORAL_ADDRESS = server.address;
}
