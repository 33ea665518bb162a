import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { runCommand, TEMPORAL_CLI_VERSION } from './temporal-cli.js';

const DOWNLOAD_TIMEOUT_MS = 120_000;

/**
 * Runs in its own process for two reasons: the SDK has no timeout, and its environment installs the
 * process-wide runtime, which the worker must install itself.
 *
 * The SDK checks no digest and would run what it has downloaded. The address is one that no machine
 * has (RFC 5737): the SDK looks for a free port there and gives up before it runs the file. So
 * `createLocal` always fails here; only the downloaded file counts, and `fillCache` checks it.
 */
const DOWNLOAD_SOURCE = `
const [testing, downloadDir, version] = process.argv.slice(1);
require(testing)
  .TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', downloadDir, version }, ip: '192.0.2.1' },
  })
  .catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
`;

/** Downloads the Temporal CLI with the SDK into the folder. Returns the path of the file. */
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
    throw failure instanceof Error
      ? failure
      : new Error('the Temporal SDK did not download a file');
  }
  return join(folder, file);
}
