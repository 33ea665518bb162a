import type { ClearSecrets } from '../contract/clear-secrets.js';
import type { Environment } from './environment.js';

/** Whether secrets may stand in inputs in clear, as far as a setting says it. */
export function readClearSecrets(
  { GCORE_CLEAR_SECRETS: given }: Environment,
  faults: string[],
): ClearSecrets | undefined {
  if (given === undefined || given === 'allow' || given === 'refuse') return given;
  faults.push('GCORE_CLEAR_SECRETS: must be "allow" or "refuse"');
  return undefined;
}
