import type { Environment } from './environment.js';

/** The version that a worker gives itself. */
export interface DeploymentSettings {
  /** The Worker Deployment. */
  name: string;
  /** Who starts the worker has chosen it. Left out: a checksum of the code. */
  buildId?: string;
}

/** Temporal puts the name before ":" and, in an older form, before ".". Names with "__" at the start are its own. */
const OWN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** The Temporal Worker Controller names it "<namespace of Kubernetes>/<resource>". */
const GIVEN_NAME = /^[A-Za-z0-9][A-Za-z0-9_/-]{0,254}$/;
const GIVEN_BUILD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;

/**
 * The version by `GCORE_WORKFLOWS_DEPLOYMENT`, or by the two variables that the Temporal Worker Controller sets; none
 * without them.
 */
export function readDeployment(
  environment: Environment,
  faults: string[],
): DeploymentSettings | undefined {
  const {
    GCORE_WORKFLOWS_DEPLOYMENT: own,
    TEMPORAL_DEPLOYMENT_NAME: name,
    TEMPORAL_WORKER_BUILD_ID: buildId,
  } = environment;
  if (name !== undefined || buildId !== undefined) {
    if (own !== undefined) {
      faults.push(
        'GCORE_WORKFLOWS_DEPLOYMENT: TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID name the version already; remove it, or these two',
      );
    }
    return readGiven(name, buildId, faults);
  }
  if (own === undefined) return undefined;
  if (OWN_NAME.test(own)) return { name: own };
  faults.push(
    'GCORE_WORKFLOWS_DEPLOYMENT: must be 1 to 63 letters, digits, "-" or "_", and begin with a letter or digit',
  );
  return undefined;
}

function readGiven(
  name: string | undefined,
  buildId: string | undefined,
  faults: string[],
): DeploymentSettings | undefined {
  if (name === undefined || buildId === undefined) {
    const [set, missing] =
      name === undefined
        ? ['TEMPORAL_WORKER_BUILD_ID', 'TEMPORAL_DEPLOYMENT_NAME']
        : ['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'];
    faults.push(`${missing}: is missing, and ${set} is set; set both or neither`);
    return undefined;
  }
  const isSound = GIVEN_NAME.test(name);
  if (!isSound) {
    faults.push(
      'TEMPORAL_DEPLOYMENT_NAME: must be 1 to 255 letters, digits, "-", "_" or "/", and begin with a letter or digit',
    );
  }
  if (GIVEN_BUILD.test(buildId)) return isSound ? { name, buildId } : undefined;
  faults.push(
    'TEMPORAL_WORKER_BUILD_ID: must be 1 to 255 letters, digits, "-", "_" or ".", and begin with a letter or digit',
  );
  return undefined;
}
