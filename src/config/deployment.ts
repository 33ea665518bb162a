import type { Environment } from './environment.js';

/** Temporal puts the name before ":" and, in an older form, before ".". Names with "__" at the start are its own. */
const DEPLOYMENT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62})$/;

/** The name of the Worker Deployment that `GCORE_WORKFLOWS_DEPLOYMENT` switches on; none when it is not set. */
export function readDeployment(
  { GCORE_WORKFLOWS_DEPLOYMENT: name }: Environment,
  faults: string[],
): string | undefined {
  if (name === undefined || name === '') return undefined;
  if (DEPLOYMENT_NAME.test(name)) return name;
  faults.push(
    'GCORE_WORKFLOWS_DEPLOYMENT: must be 1 to 63 letters, digits, "-" or "_", and begin with a letter or digit',
  );
  return undefined;
}
