import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { runCommand, TEMPORAL_CLI_VERSION } from './temporal-cli.js';

const DOWNLOAD_TIMEOUT_MS = 120_000;

/**
 * Runs in a process of its own: the SDK cannot be told to give up, and starting its environment
 * installs the SDK's process-wide runtime, which the worker wants to install itself.
 *
 * `--help` makes the downloaded server print its help and end, so there is never a server to leave
 * behind. `createLocal` therefore always fails here; the file is the result.
 */
const DOWNLOAD_SOURCE = `
const [testing, downloadDir, version] = process.argv.slice(1);
require(testing)
  .TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, extraArgs: ['--help'] },
  })
  .catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
`;

/** Lets the SDK download the Temporal CLI into the folder; gives the file. */
export async function downloadWithSdk(folder: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const testing = require.resolve('@temporalio/testing');
  const failure = await runCommand(
    process.execPath,
    ['-e', DOWNLOAD_SOURCE, '--', testing, folder, `v${TEMPORAL_CLI_VERSION}`],
    DOWNLOAD_TIMEOUT_MS,
  ).catch((error: unknown) => error);
  // An unfinished download has another name, which ends in `.downloading`.
  const file = (await readdir(folder)).find((name) => /^temporal-.*\d(\.exe)?$/.test(name));
  if (file === undefined) {
    throw failure instanceof Error ? failure : new Error('the Temporal SDK downloaded no file');
  }
  return join(folder, file);
}
