import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DEFAULT_API_KEY } from '../../../src/simulator/index.js';
import { ownFolder } from '../own-folder.js';
import { reads } from '../supported.js';

export const CODEC = 'GCORE_CODEC_KEYS_FILE';
export const ACCOUNTS = 'GCORE_ACCOUNTS_FILE';

type Environment = Record<string, string>;

/** A key ring for workers, gateways and clients; nothing where this version does not encrypt. */
export async function codecEnvironment(): Promise<Environment> {
  if (!reads(CODEC)) return {};
  const file = join(await ownFolder('codec'), 'keys.json');
  const keys = { first: randomBytes(32).toString('base64') };
  await writeFile(file, JSON.stringify({ current: 'first', keys }));
  return { [CODEC]: file };
}

const SHARED = { GCORE_RECONCILE_GRACE_SECONDS: '5' };
const PER_SECOND = 100;

/** For each worker the variables that make it serve its account: one file for all accounts, where this version reads it. */
export async function accountEnvironments(
  urls: Readonly<Record<string, string>>,
): Promise<Record<string, Environment>> {
  const names = Object.keys(urls);
  if (!reads(ACCOUNTS)) {
    return Object.fromEntries(names.map((name) => [name, singleAccount(name, urls[name] ?? '')]));
  }
  const folder = await ownFolder('accounts');
  const accounts: Record<string, object> = {};
  for (const [name, baseUrl] of Object.entries(urls)) {
    const keyFile = join(folder, `${name}.key`);
    await writeFile(keyFile, DEFAULT_API_KEY);
    accounts[name] = { keyFile, baseUrl, requestsPerSecond: PER_SECOND };
  }
  const file = join(folder, 'accounts.json');
  await writeFile(file, JSON.stringify({ accounts }));
  const environment = (name: string): Environment => ({
    ...SHARED,
    [ACCOUNTS]: file,
    GCORE_ACCOUNTS: name,
  });
  return Object.fromEntries(names.map((name) => [name, environment(name)]));
}

function singleAccount(name: string, baseUrl: string): Environment {
  return {
    ...SHARED,
    GCORE_ACCOUNT: name,
    GCORE_API_KEY: DEFAULT_API_KEY,
    GCORE_BASE_URL: baseUrl,
    GCORE_REQUESTS_PER_SECOND: String(PER_SECOND),
  };
}
