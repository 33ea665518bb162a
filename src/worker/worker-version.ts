import type { Logger, NativeConnection, WorkerOptions } from '@temporalio/worker';

import type { DeploymentSettings } from '../config/deployment.js';
import { setCurrentVersion } from '../contract/set-current-version.js';
import { readBuildId } from './build-id.js';
import type { CutShortDeps } from './cut-short.js';
import { holdBack } from './held-back-patches.js';
import { isNotFound } from './is-not-found.js';

/** By what Temporal tells versioned workers apart. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

interface OwnVersion {
  option: { version?: WorkerVersion };
  /** For the log. */
  facts: { build: string | undefined; deployment?: string };
}

/** The version of the workers of this process. @param deployment left out when they are not versioned */
export async function readOwnVersion(
  deployment: DeploymentSettings | undefined,
  bundlePaths?: readonly string[],
): Promise<OwnVersion> {
  const code = await readBuildId(bundlePaths);
  if (deployment === undefined) return { option: {}, facts: { build: code } };
  const { name, buildId: build = code } = deployment;
  if (build !== undefined) {
    const version = { deploymentName: name, buildId: build };
    return { option: { version }, facts: { build, deployment: name } };
  }
  throw new Error(
    'GCORE_WORKFLOWS_DEPLOYMENT is set, but this program has no workflow bundle to name its version by: run "npm run build" first.',
  );
}

/**
 * A run stays with the version that began it, unless it continues in a new history. Only for the workers of the
 * workflows: a versioned account worker would take calls of its own version only, and the last worker of an account
 * could not be replaced before the last run of the old version has ended (docs/decisions/0035). With the patches that
 * are held back, which are a part of the version.
 */
export function versionOptions(
  version: WorkerVersion | undefined,
): Pick<WorkerOptions, 'workerDeploymentOptions' | 'patchActivationCallback'> {
  if (version === undefined) return holdBack();
  return {
    ...holdBack(),
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  };
}

const ANSWER_WITHIN_MS = 5_000;
const NOBODY_STARTS =
  'No version of the workers is current: versioned workers get no new runs. Make one current';
const NOT_CURRENT = 'Another version of the workers is current: new runs go there';

interface WarnDeps extends CutShortDeps {
  connection: NativeConnection;
  logger: Logger;
}

/** Says why a worker that has just started gets no new runs. A server that does not answer is no reason to worry. */
export async function warnUnlessCurrent(
  { connection, namespace, logger }: WarnDeps,
  version: WorkerVersion | undefined,
): Promise<void> {
  if (version === undefined) return;
  const { deploymentName, buildId } = version;
  const current = await readCurrent({ connection, namespace }, deploymentName);
  if (current === undefined || current === buildId) return;
  const facts = { deployment: deploymentName, build: buildId };
  const fix = setCurrentVersion(deploymentName, buildId);
  if (current === '') logger.warn(NOBODY_STARTS, { ...facts, fix });
  else logger.info(NOT_CURRENT, { ...facts, current, fix });
}

/** The build id of the current version; empty when there is none, `undefined` when nobody says. */
async function readCurrent(
  { connection, namespace }: CutShortDeps,
  deploymentName: string,
): Promise<string | undefined> {
  try {
    const { workerDeploymentInfo } = await connection.withDeadline(
      Date.now() + ANSWER_WITHIN_MS,
      () => connection.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? '';
  } catch (error) {
    // The first worker of a deployment makes it by its first poll.
    return isNotFound(error) ? '' : undefined;
  }
}
