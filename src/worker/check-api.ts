import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { ConfigurationError, loadWorkerConfig, type WorkerConfig } from '../config.js';
import type { Check } from '../contract/check.js';
import { checkAccount, type SettingNames } from './check-account.js';
import { bundleVariants } from './workflow-bundle.js';

/**
 * The checksums by which workers with this code sign themselves, one for each variant of the bundle: with and without
 * encryption it is the same code. Empty before a build.
 */
export async function ownBuilds(
  paths: readonly string[] = bundleVariants().map(({ path }) => path),
): Promise<string[]> {
  try {
    const codes = await Promise.all(paths.map((path) => readFile(path)));
    return codes.map((code) => createHash('sha256').update(code).digest('hex'));
  } catch {
    return [];
  }
}

/**
 * What a worker with the configuration of this process finds at the API. Only reads, and only the lists
 * of projects and regions, once for each account.
 *
 * @param account one of the accounts file; all that this process serves when left out
 */
export async function checkApi(environment?: Environment, account?: string): Promise<Check[]> {
  const read = readConfig(environment);
  if ('checks' in read) return read.checks;
  const { accounts, accountsFile } = read.config;
  if (accountsFile === undefined) {
    const [only] = accounts;
    return only === undefined ? [] : checkAccount(only, VARIABLES);
  }
  const checked = accounts.filter(({ name }) => account === undefined || name === account);
  if (checked.length === 0) return API_CHECKS.map((name) => notServed(name, account));
  const checks = await Promise.all(
    checked.map((config) => checkAccount(config, settingsOf(config.name))),
  );
  // The clock of this machine is one, whatever the account.
  return checks.flatMap((found, at) =>
    found
      .filter(({ name }) => name !== CLOCK || at === 0)
      .map((check) => ofAccount(check, checked[at]?.name ?? '')),
  );
}

const VARIABLES: SettingNames = {
  baseUrl: 'GCORE_BASE_URL',
  projectId: 'GCORE_CLOUD_PROJECT_ID',
  regionId: 'GCORE_CLOUD_REGION_ID',
};

function settingsOf(account: string): SettingNames {
  const inFile = (field: string) => `accounts.${account}.${field} (GCORE_ACCOUNTS_FILE)`;
  return {
    baseUrl: inFile('baseUrl'),
    projectId: inFile('projectId'),
    regionId: inFile('regionId'),
  };
}

function ofAccount(check: Check, account: string): Check {
  return check.name === CLOCK ? check : { ...check, name: `${account}: ${check.name}` };
}

function notServed(name: string, account = ''): Check {
  const text = `cannot be checked: no account "${account}" is served with these settings (GCORE_ACCOUNTS_FILE, GCORE_ACCOUNTS)`;
  return { name, state: 'unknown', text };
}

type Environment = Readonly<Record<string, string | undefined>>;

const CLOCK = 'clock';
const API_CHECKS = ['API key', 'project', 'region', CLOCK] as const;
const NO_KEY = 'GCORE_API_KEY: is missing';

function readConfig(
  environment: Environment | undefined,
): { config: WorkerConfig } | { checks: Check[] } {
  try {
    return { config: loadWorkerConfig(environment) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.filter((fault) => !fault.startsWith(NO_KEY));
    if (faults.length === 0) return { checks: API_CHECKS.map(withoutKey) };
    const text = faults.join('; ');
    const advice = 'correct the settings of the worker: docs/configuration.md';
    return { checks: [{ name: 'configuration', state: 'fault', text, advice }] };
  }
}

function withoutKey(name: string): Check {
  const text =
    'cannot be checked: GCORE_API_KEY is not set here; run this where a worker runs, with its environment';
  return { name, state: 'unknown', text };
}
