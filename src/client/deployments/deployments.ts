import { GrpcCode, grpcCodeOf } from '../server-calls.js';
import { workflowWorkers } from '../pollers.js';
import { PromotionRefusedError } from './deployment-errors.js';
import type { DeploymentStatus } from './deployment-status.js';
import { drainVersion, type Drained } from './drain-version.js';
import { readStatus, type DeploymentDeps } from './read-status.js';

/** Where new runs shall go. */
export interface Promotion {
  /** The build id; `undefined` for unversioned workers. */
  build: string | undefined;
  /** The share of new runs, in percent. Left out: all. 0 ends a ramp. */
  percentage?: number;
  /** Also to a version without workers, or without a queue that the current one has. */
  force?: boolean;
}

/**
 * The versions of the workers, by Temporal's Worker Deployments. All throw DeploymentNotFoundError.
 */
export interface Deployments {
  /** The deployments whose workers poll the queue of the workflows. */
  names(): Promise<string[]>;
  /** Changes nothing. Counts of runs may be a moment old. */
  status(deployment: string): Promise<DeploymentStatus>;
  /**
   * Sends new runs to a version. Runs that have begun stay where they are.
   * @throws PromotionRefusedError
   */
  promote(deployment: string, promotion: Promotion): Promise<DeploymentStatus>;
  /** Asks what waits for long at a version to go on at the current one. */
  drain(deployment: string, build: string): Promise<Drained>;
}

export function createDeployments(deps: DeploymentDeps): Deployments {
  const { client, taskQueue } = deps;
  return {
    async names() {
      const workers = await workflowWorkers(client, taskQueue);
      const names = workers.flatMap(({ version }) => version?.deployment ?? []);
      return [...new Set(names)].sort();
    },
    status: async (deployment) => (await readStatus(deps, deployment)).status,
    promote: (deployment, promotion) => promote(deps, deployment, promotion),
    drain: (deployment, build) => drainVersion(client, { deployment, build }),
  };
}

async function promote(
  deps: DeploymentDeps,
  deployment: string,
  promotion: Promotion,
): Promise<DeploymentStatus> {
  const { status, conflictToken } = await readStatus(deps, deployment);
  const { build = '', percentage, force = false } = promotion;
  if (!force && percentage !== 0) refuseWithoutWorkers(status, promotion);
  const { workflowService, options } = deps.client;
  const request = {
    namespace: options.namespace,
    deploymentName: deployment,
    identity: options.identity,
    // Temporal ends a ramp that goes nowhere.
    buildId: percentage === 0 ? '' : build,
    conflictToken,
    ignoreMissingTaskQueues: force,
    allowNoPollers: force,
  };
  try {
    if (percentage === undefined) await workflowService.setWorkerDeploymentCurrentVersion(request);
    else await workflowService.setWorkerDeploymentRampingVersion({ ...request, percentage });
  } catch (error) {
    throw refusalOf(error, build) ?? error;
  }
  return (await readStatus(deps, deployment)).status;
}

/** Temporal takes any version that has ever polled. */
function refuseWithoutWorkers(status: DeploymentStatus, { build }: Promotion): void {
  const workers =
    build === undefined
      ? status.unversioned.workers
      : status.versions.find((version) => version.build === build)?.workers;
  if (workers !== undefined && workers > 0) return;
  const name = build ?? 'without a name (unversioned workers)';
  const advice =
    workers === undefined
      ? 'See which there are: gcore-workflows deploy status.'
      : 'Start workers of it first; with --force new runs would wait for them.';
  const reason = workers === undefined ? 'is unknown: no worker has had it' : 'has no workers';
  throw new PromotionRefusedError(name, { reason, advice });
}

function refusalOf(error: unknown, build: string): PromotionRefusedError | undefined {
  const code = grpcCodeOf(error);
  if (code !== GrpcCode.failedPrecondition && code !== GrpcCode.notFound) return undefined;
  const details = error instanceof Error ? messageOf(error) : '';
  return new PromotionRefusedError(build, {
    reason: `is refused by the Temporal server (${details})`,
    advice:
      'Somebody else may have changed the deployment just now: look at deploy status and try again.',
  });
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? messageOf(cause) : message.replace(/^\d+ [A-Z_]+: /, '');
}
