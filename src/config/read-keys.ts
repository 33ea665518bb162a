import type { AccountConfig } from './account-fields.js';
import type { AccountProfiles } from './account-profiles.js';
import { readAccounts } from './accounts.js';
import { readApiKey, type FoundKey } from './api-key.js';
import type { Environment } from './environment.js';

export interface AccountsFile {
  path: string;
  profiles: AccountProfiles;
}

export interface Findings {
  faults: string[];
  notices: string[];
}

export interface FoundKeys {
  /** Without an accounts file: the key of the only account. */
  served: readonly (AccountConfig | FoundKey)[];
  accountsFile: AccountsFile | undefined;
}

/** The keys of the accounts that the worker serves. Adds what is wrong to the findings. */
export function readKeys(given: Environment, findings: Findings): FoundKeys {
  const { GCORE_ACCOUNTS_FILE: path } = given;
  if (path === undefined) {
    const key = readSingleKey(given, findings);
    return { served: key === undefined ? [] : [key], accountsFile: undefined };
  }
  const read = readAccounts({ ...given, GCORE_ACCOUNTS_FILE: path }, findings);
  if (read === undefined) return { served: [], accountsFile: undefined };
  return { served: read.served, accountsFile: { path, profiles: read.profiles } };
}

/** The key of the only account, without an accounts file. */
function readSingleKey(given: Environment, findings: Findings): FoundKey | undefined {
  if (given['GCORE_ACCOUNTS'] !== undefined) {
    findings.faults.push(
      'GCORE_ACCOUNTS: chooses among the accounts of a file; set GCORE_ACCOUNTS_FILE too, or use GCORE_ACCOUNT',
    );
  }
  return readApiKey(given, findings);
}
