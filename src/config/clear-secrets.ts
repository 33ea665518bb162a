import type { ClearSecrets } from '../contract/clear-secrets.js';
import { ConfigurationError } from './configuration-error.js';
import { withoutEmpty, type Environment } from './environment.js';

/** Whether secrets may stand in inputs in clear, as far as a setting says it. */
export function readClearSecrets(
  { GCORE_CLEAR_SECRETS: given }: Environment,
  faults: string[],
): ClearSecrets | undefined {
  if (given === undefined || given === 'allow' || given === 'refuse') return given;
  faults.push('GCORE_CLEAR_SECRETS: must be "allow" or "refuse"');
  return undefined;
}

/** Whether a client with this environment may send secrets in clear, where that is set. */
export function loadClearSecrets(environment: Environment): ClearSecrets | undefined {
  const faults: string[] = [];
  const clearSecrets = readClearSecrets(withoutEmpty(environment), faults);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return clearSecrets;
}
