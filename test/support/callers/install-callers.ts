import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Stays between runs of the tests. */
const CACHE = resolve('.cache/callers');

/** Whether a program of this name can be started. */
export async function isInstalled(program: string): Promise<boolean> {
  try {
    await run(program, ['--version']);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** Builds the program of a folder with its own go.mod. Go takes its modules from its cache or its proxy. */
export async function buildGoModule(folder: string, program: string): Promise<void> {
  await install('go', ['build', '-C', folder, '-o', program, '.']);
}

/** Builds a program of one file that needs nothing but Go. */
export async function buildGoFile(file: string, program: string): Promise<void> {
  await install('go', ['build', '-o', program, file]);
}

/**
 * Installs the packages of this file for Python into an environment of its own. Each must have its SHA-256 there.
 * @returns The path of the environment's Python.
 */
export async function pythonWith(requirements: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(requirements));
  const environment = join(CACHE, `python-${digest.digest('hex').slice(0, 16)}`);
  const python = join(environment, 'bin', 'python');
  const whole = join(environment, 'whole');
  if (await exists(whole)) return python;
  await mkdir(CACHE, { recursive: true });
  // A pip of its own would take four seconds of a processor, and install nothing but this.
  await install('python3', ['-m', 'venv', '--clear', '--without-pip', environment]);
  const pip = ['-m', 'pip', '--python', python, 'install', '--quiet'];
  await install('python3', [...pip, '--require-hashes', '-r', requirements]);
  // An installation that was cut short has no such file and is made again.
  await writeFile(whole, '');
  return python;
}

async function install(program: string, args: string[]): Promise<void> {
  try {
    await run(program, args);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Error(`The callers in examples/ need ${program}: install it.`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
