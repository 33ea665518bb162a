import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import { accountNameSchema } from './account-fields.js';
import { readAccountNames } from './account-profiles.js';
import { toNames } from './accounts.js';
import { ConfigurationError } from './configuration-error.js';
import { withoutEmpty, type Environment } from './environment.js';

/**
 * The names of the accounts that a worker with this environment serves. Needs no API key, and reads names from an
 * accounts file with other faults too. Throws `ConfigurationError`.
 */
export function loadAccountNames(environment: Environment = process.env): readonly string[] {
  const {
    GCORE_ACCOUNTS_FILE: file,
    GCORE_ACCOUNTS: wanted,
    ...single
  } = withoutEmpty(environment);
  if (file === undefined) return [loadAccount(single)];
  const read = readAccountNames(file);
  if (!read.ok) throw new ConfigurationError(read.faults);
  return wanted === undefined ? read.names : toNames(wanted);
}

function loadAccount({ GCORE_ACCOUNT: name = DEFAULT_ACCOUNT }: Environment): string {
  const parsed = accountNameSchema.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map(({ message }) => `GCORE_ACCOUNT: ${message}`),
  );
}
