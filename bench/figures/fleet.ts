import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { KEY_BYTES } from '../../src/codec/key-ring.js';
import type {
  FastWorkerSettings,
  WorkerProcess,
} from '../../test/support/workers/worker-process.js';
import { ready, type BenchWorld } from '../worlds.js';

/** A version of the workers: a folder with its build, and what it is started with. */
export interface FleetVersion {
  name: string;
  root: string;
  settings?: Pick<FastWorkerSettings, 'version' | 'codePath'>;
}

/** The worker processes of an installation. */
export interface Fleet {
  /** All that were ever started. */
  all: WorkerProcess[];
  start: (version: FleetVersion) => Promise<WorkerProcess>;
  /** As an orchestrator does: SIGTERM, and wait for the end. */
  stop: (worker: WorkerProcess) => Promise<void>;
  close: () => Promise<void>;
}

/** Every other process has a key ring that encrypts nothing yet, and so another variant of the bundle. */
export function createFleet(
  { spawnOurs }: BenchWorld,
  settings: Partial<FastWorkerSettings>,
  folder: string,
): Fleet {
  const idleKeys = writeIdleKeys(folder);
  const all: WorkerProcess[] = [];
  const stop = async ({ child, exit }: WorkerProcess): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const code = await exit;
    if (code !== 0) throw new Error(`a worker ended with ${String(code)} on SIGTERM`);
  };
  return {
    all,
    stop,
    async start({ root, settings: own }) {
      const keys = all.length % 2 === 1 ? { codecKeysFile: idleKeys } : {};
      const worker = spawnOurs({ ...settings, ...keys, ...own }, root);
      all.push(worker);
      return ready(worker);
    },
    async close() {
      const running = all.filter(({ child }) => child.exitCode === null);
      await Promise.all(running.map(stop));
    },
  };
}

/** A key ring as while encryption is being introduced. */
function writeIdleKeys(into: string): string {
  const path = join(into, 'keys.json');
  const next = randomBytes(KEY_BYTES).toString('base64');
  writeFileSync(path, JSON.stringify({ current: null, keys: { next } }));
  return path;
}

const OLDER = '.cache/older';

/** Builds the project as it was at a commit, once. Returns its folder. It uses the packages of this version. */
export function buildOlder(commit: string): string {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`).trim();
  const folder = resolve(OLDER, hash);
  if (existsSync(join(folder, 'dist/workflow-bundle.js'))) return folder;
  process.stderr.write(`Building ${git('log', '-1', '--format=%h %s', hash).trim()} ...\n`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', hash], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  hideName(join(folder, 'package.json'));
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(resolve('node_modules'), packages);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  run('dist/worker/build-bundle.js');
  return folder;
}

/** Jest warns about two packages of one name in one folder. */
function hideName(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/^\s*"name":.*\n/m, ''));
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}
