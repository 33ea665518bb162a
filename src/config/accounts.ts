import type { Fault } from '../engine/core/failures.js';
import type { NotifyTarget } from '../engine/schema/notify.js';
import type { AccountConfig } from './account-fields.js';
import {
  readAccountProfiles,
  type AccountProfile,
  type AccountProfiles,
} from './account-profiles.js';
import { readKeyFile, toKey, type ReadKey } from './api-key.js';
import type { Environment } from './environment.js';
import { formatFault } from './read-json.js';

const FILE = 'GCORE_ACCOUNTS_FILE';
const SERVED = 'GCORE_ACCOUNTS';

/** The variables of a single account, and where the accounts file has the same. */
const SINGLE: Readonly<Record<string, string>> = {
  GCORE_API_KEY: 'keyVariable',
  GCORE_API_KEY_FILE: 'keyFile',
  GCORE_BASE_URL: 'baseUrl',
  GCORE_AUTH_SCHEME: 'authScheme',
  GCORE_CLOUD_PROJECT_ID: 'projectId',
  GCORE_CLOUD_REGION_ID: 'regionId',
  GCORE_REQUESTS_PER_SECOND: 'requestsPerSecond',
};

/** The accounts of a deployment, and those among them that this process serves. */
export interface Accounts {
  served: readonly AccountConfig[];
  profiles: AccountProfiles;
}

interface Findings {
  faults: string[];
  notices: string[];
}

/** Reads the accounts file. `undefined` with a fault in it; the keys are read of the served accounts only. */
export function readAccounts(
  environment: Environment & { GCORE_ACCOUNTS_FILE: string },
  { faults, notices }: Findings,
): Accounts | undefined {
  const { GCORE_ACCOUNTS_FILE: file } = environment;
  const read = readAccountProfiles(file);
  if (!read.ok) {
    faults.push(...read.faults.map((fault) => formatFault(FILE, fault)));
    // Whether an account refers to this variable is not known.
    faults.push(...doubleSettings({ ...environment, GCORE_API_KEY: undefined }, {}));
    return undefined;
  }
  const { accounts: profiles } = read;
  faults.push(...doubleSettings(environment, profiles));
  const names = servedNames(environment, Object.keys(profiles), faults);
  const served = names.flatMap((name) => {
    const profile = profiles[name];
    return profile === undefined ? [] : toAccount(environment, { name, profile }, faults);
  });
  notices.push(...sharedKeys(served));
  return { served, profiles };
}

/** What is wrong with a process that has both the file and a variable that the file replaces. */
function doubleSettings(environment: Environment, profiles: AccountProfiles): string[] {
  const references = new Set(Object.values(profiles).map(({ keyVariable }) => keyVariable));
  const isDouble = (name: string) => environment[name] !== undefined && !references.has(name);
  const moved = Object.entries(SINGLE)
    .filter(([name]) => isDouble(name))
    .map(
      ([name, field]) =>
        `${name}: is set beside ${FILE}; unset it, and write "${field}" into the account of the file`,
    );
  const account = isDouble('GCORE_ACCOUNT')
    ? [`GCORE_ACCOUNT: is set beside ${FILE}; unset it. ${SERVED} says which accounts to serve`]
    : [];
  return [...moved, ...account];
}

/** The accounts that this process serves: all of the file, or those that GCORE_ACCOUNTS names. */
function servedNames(
  { GCORE_ACCOUNTS: wanted }: Environment,
  known: readonly string[],
  faults: string[],
): readonly string[] {
  if (wanted === undefined) return known;
  const names = [...new Set(toNames(wanted))];
  if (names.length === 0) faults.push(`${SERVED}: names no account; unset it to serve all`);
  const unknown = names.filter((name) => !known.includes(name));
  faults.push(
    ...unknown.map(
      (name) => `${SERVED}: the file has no account "${name}"; it has ${known.join(', ')}`,
    ),
  );
  return names;
}

export function toNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

interface Named {
  name: string;
  profile: AccountProfile;
}

function toAccount(
  environment: Environment,
  { name, profile }: Named,
  faults: string[],
): AccountConfig[] {
  const { field, read } = keyOf(environment, profile);
  if ('key' in read) return [{ name, apiKey: read.key, ...settingsOf(profile) }];
  const fault: Fault = { path: `accounts.${name}.${field}`, message: read.fault };
  faults.push(formatFault(FILE, fault));
  return [];
}

function settingsOf(profile: AccountProfile): Omit<AccountConfig, 'name' | 'apiKey'> {
  const { keyFile, keyVariable, projectId, regionId, projects } = profile;
  const { authScheme, baseUrl, requestsPerSecond } = profile;
  return {
    keyFile,
    keyVariable,
    projectId,
    regionId,
    projects,
    authScheme,
    baseUrl,
    requestsPerSecond,
  };
}

function keyOf(
  environment: Environment,
  { keyFile, keyVariable = '' }: AccountProfile,
): { field: string; read: ReadKey } {
  if (keyFile !== undefined) return { field: 'keyFile', read: readKeyFile(keyFile) };
  const text = environment[keyVariable];
  const unset = { fault: `the variable ${keyVariable} is not set` };
  return { field: 'keyVariable', read: text === undefined ? unset : toKey(text) };
}

/** Two accounts with one key share its limit at the API and what is there, but neither knows of the requests and runs of the other. */
function sharedKeys(accounts: readonly AccountConfig[]): string[] {
  const keys = new Set(accounts.map(({ apiKey }) => apiKey));
  return [...keys].flatMap((key) => {
    const names = accounts.filter(({ apiKey }) => apiKey === key).map(({ name }) => name);
    return names.length < 2
      ? []
      : [
          `The accounts ${names.join(' and ')} have the same API key. Their runs take no turns with each other: make one account of them, or never let both change the same. Divide its requests per second among them.`,
        ];
  });
}

/** Who is told about the runs of each account that names receivers. */
export function receiversIn(profiles: AccountProfiles): Record<string, readonly NotifyTarget[]> {
  return Object.fromEntries(
    Object.entries(profiles).flatMap(([name, { notify }]) =>
      notify === undefined ? [] : [[name, notify] as const],
    ),
  );
}
