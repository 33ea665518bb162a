import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { resolveTemporalExecutable } from '../../../src/dev/temporal-executable.js';
import {
  startTemporalServer,
  type TemporalServerOptions,
} from '../../../src/dev/temporal-server.js';
import { createSimulator, type Simulator } from '../../../src/simulator/index.js';
import { startWorkerProcess, type WorkerProcess } from '../workers/worker-process.js';

/** A worker process that serves several accounts of one simulated cloud, with their key files. */
export interface AccountsWorld {
  simulator: Simulator;
  client: Client;
  gcore: GcoreWorkflows;
  worker: WorkerProcess;
  /** Writes another key into the file of the account, as Kubernetes does: it swaps a symbolic link. */
  replaceKey: (account: string, key: string) => void;
  /** Runs the command line with the environment of the worker. */
  cli: (...args: string[]) => Promise<{ exitCode: number | null; stdout: string }>;
  close: () => Promise<void>;
}

/** Tasks end before the first look. */
const TIME_SCALE = 0.0001;

/** The key of an account at the start. */
export function firstKey(account: string): string {
  return `canary-of-${account}-1`;
}

export interface AccountsWorldOptions {
  /** Settings of the Temporal server. */
  dynamicConfig?: TemporalServerOptions['dynamicConfig'];
  /** Called before the worker starts. */
  beforeWorker?: (gcore: GcoreWorkflows) => Promise<void>;
}

/** @param accounts what the accounts file says about each, besides its key and address */
export async function openAccountsWorld(
  accounts: Readonly<Record<string, object>>,
  { dynamicConfig = {}, beforeWorker }: AccountsWorldOptions = {},
): Promise<AccountsWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-world-'));
  const names = Object.keys(accounts);
  const apiKeys = Object.fromEntries(names.map((name) => [name, firstKey(name)]));
  const simulator = createSimulator({ timeScale: TIME_SCALE, apiKeys });
  const api = await simulator.listen();
  const { path: executable } = await resolveTemporalExecutable({ path: process.env['PATH'] });
  const temporal = await startTemporalServer({ executable, exactTimers: true, dynamicConfig });
  const profiles = names.map((name) => {
    const keyFile = mountKey(folder, name);
    return [name, { keyFile, baseUrl: api.url, ...accounts[name] }] as const;
  });
  const file = join(folder, 'accounts.json');
  writeFileSync(file, JSON.stringify({ accounts: Object.fromEntries(profiles) }));
  const environment = {
    GCORE_ACCOUNTS_FILE: file,
    GCORE_RECONCILE_GRACE_SECONDS: '2',
    TEMPORAL_ADDRESS: temporal.address,
  };
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const gcore = createGcoreWorkflows({ client });
  await beforeWorker?.(gcore);
  const worker = startWorkerProcess(environment);
  await worker.says('Worker is ready');
  return {
    simulator,
    client,
    gcore,
    worker,
    replaceKey: (account, key) => {
      swapKey(join(folder, account), key);
    },
    cli: (...args) => runCli(args, environment),
    close: async () => {
      worker.child.kill('SIGKILL');
      await worker.exit;
      await connection.close();
      await temporal.close();
      await api.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** key -> ..data/key, ..data -> ..1: as Kubernetes mounts a secret. */
function mountKey(folder: string, account: string): string {
  const mount = join(folder, account);
  mkdirSync(join(mount, '..1'), { recursive: true });
  writeFileSync(join(mount, '..1', 'key'), firstKey(account));
  symlinkSync('..1', join(mount, '..data'));
  symlinkSync(join('..data', 'key'), join(mount, 'key'));
  return join(mount, 'key');
}

function swapKey(mount: string, key: string): void {
  const version = `..${Date.now()}`;
  mkdirSync(join(mount, version));
  writeFileSync(join(mount, version, 'key'), key);
  symlinkSync(version, join(mount, '..data_tmp'));
  renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
  rmSync(join(mount, '..1'), { recursive: true, force: true });
}

async function runCli(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; stdout: string }> {
  const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stdout = text(child.stdout);
  await once(child, 'exit');
  return { exitCode: child.exitCode, stdout: await stdout };
}
