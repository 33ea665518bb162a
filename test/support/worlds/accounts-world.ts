import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { startWorkerProcess } from '../workers/worker-process.js';
import { openFaultWorld, type FaultWorld, type FaultWorldOptions } from './fault-world.js';

/** Its workers serve several accounts of one simulated cloud, with their key files. */
export interface AccountsWorld extends FaultWorld {
  /** Writes another key into the file of the account, as Kubernetes does: it swaps a symbolic link. */
  replaceKey: (account: string, key: string) => void;
  /** Runs the command line with the environment of the worker. */
  cli: (...args: string[]) => Promise<{ exitCode: number | null; stdout: string }>;
}

/** The key of an account at the start. */
export function firstKey(account: string): string {
  return `canary-of-${account}-1`;
}

/** @param accounts what the accounts file says about each, besides its key and address */
export async function openAccountsWorld(
  accounts: Readonly<Record<string, object>>,
  options: Pick<FaultWorldOptions, 'dynamicConfig'> = {},
): Promise<AccountsWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-world-'));
  const names = Object.keys(accounts);
  const file = join(folder, 'accounts.json');
  const environmentAt = (address: string) => ({
    GCORE_ACCOUNTS_FILE: file,
    GCORE_RECONCILE_GRACE_SECONDS: '2',
    TEMPORAL_ADDRESS: address,
  });
  const world = await openFaultWorld({
    apiKeys: Object.fromEntries(names.map((name) => [name, firstKey(name)])),
    spawn: ({ address }) => startWorkerProcess(environmentAt(address)),
    ...options,
  });
  const profiles = names.map((name) => {
    const keyFile = mountKey(folder, name);
    return [name, { keyFile, baseUrl: world.baseUrl, ...accounts[name] }] as const;
  });
  writeFileSync(file, JSON.stringify({ accounts: Object.fromEntries(profiles) }));
  return {
    ...world,
    replaceKey: (account, key) => {
      swapKey(join(folder, account), key);
    },
    cli: (...args) => runCli(args, environmentAt(world.address)),
    close: async () => {
      await world.close();
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
