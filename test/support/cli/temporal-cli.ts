import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { defaultCacheDir } from '../../../src/dev/temporal-cli.js';
import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The real `temporal` CLI, connected with these options. It gives what a command prints, or rejects. */
export async function openTemporalCli(
  server: readonly string[],
): Promise<(...args: string[]) => Promise<string>> {
  const { path } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
    cacheDir: defaultCacheDir(process.env['XDG_CACHE_HOME']),
  });
  return async (...args) => {
    const { stdout } = await run(path, [...args, ...server], { maxBuffer: MAX_OUTPUT });
    return stdout;
  };
}
