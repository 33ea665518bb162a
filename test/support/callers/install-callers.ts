import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
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
 * Installs a package for Python, as `name==version`, into an environment of its own.
 * @returns The path of the environment's Python.
 */
export async function pythonWith(requirement: string): Promise<string> {
  const environment = join(CACHE, `python-${requirement.replaceAll(/[^\w.]+/g, '-')}`);
  const python = join(environment, 'bin', 'python');
  const whole = join(environment, 'whole');
  if (await exists(whole)) return python;
  await mkdir(CACHE, { recursive: true });
  await install('python3', ['-m', 'venv', '--clear', environment]);
  await install(python, ['-m', 'pip', 'install', '--quiet', requirement]);
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
