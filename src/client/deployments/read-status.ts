import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import { grpcCodeOf, GrpcCode } from '../server-calls.js';
import { workflowWorkers } from '../pollers.js';
import { DeploymentNotFoundError } from './deployment-errors.js';
import {
  troublesOf,
  type DeploymentStatus,
  type DeploymentVersion,
  type VersionState,
} from './deployment-status.js';

export interface DeploymentDeps {
  client: Client;
  taskQueue: string;
}

/** A status, and the token by which the server notices that somebody else has changed it since. */
export interface ReadStatus {
  status: DeploymentStatus;
  conflictToken: Uint8Array;
}

type Summary =
  proto.temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;

const { WorkerDeploymentVersionStatus: Status } = proto.temporal.api.enums.v1;

const STATES: Readonly<Record<number, VersionState>> = {
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE]: 'inactive',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};

/** @throws DeploymentNotFoundError */
export async function readStatus(deps: DeploymentDeps, deployment: string): Promise<ReadStatus> {
  const { client, taskQueue } = deps;
  const { workerDeploymentInfo: info, conflictToken } = await describe(client, deployment);
  const workers = await workflowWorkers(client, taskQueue);
  const routing = info?.routingConfig;
  const percentage = routing?.rampingVersionPercentage ?? 0;
  const count = (build: string | undefined): number =>
    workers.filter(({ version }) =>
      build === undefined
        ? version === undefined
        : version?.build === build && version.deployment === deployment,
    ).length;
  const versions = await Promise.all(
    (info?.versionSummaries ?? []).map(async (summary): Promise<DeploymentVersion> => {
      const build = summary.deploymentVersion?.buildId ?? '';
      const openRuns = await countOpen(client, versionFilter(deployment, build));
      return { ...toVersion(summary, percentage), openRuns, workers: count(build) };
    }),
  );
  const current = routing?.currentDeploymentVersion?.buildId;
  const ramping = routing?.rampingDeploymentVersion?.buildId;
  const known = {
    deployment,
    versions: versions.sort((a, b) => Number(b.since ?? 0) - Number(a.since ?? 0)),
    ...(current && { current }),
    ...(ramping && { ramping }),
    unversioned: {
      workers: count(undefined),
      openRuns: await countOpen(
        client,
        `TaskQueue = '${taskQueue}' AND TemporalWorkerDeploymentVersion IS NULL`,
      ),
    },
  };
  return { status: { ...known, troubles: troublesOf(known) }, conflictToken };
}

/** Runs that are pinned to a version. */
export function versionFilter(deployment: string, build: string): string {
  return `TemporalWorkerDeploymentVersion = '${deployment}:${build}'`;
}

async function countOpen(client: Client, filter: string): Promise<number> {
  const query = `${filter} AND ExecutionStatus = 'Running'`;
  const { namespace } = client.options;
  const { count } = await client.workflowService.countWorkflowExecutions({ namespace, query });
  return Number(count);
}

async function describe(client: Client, deploymentName: string) {
  const { namespace } = client.options;
  try {
    return await client.workflowService.describeWorkerDeployment({ namespace, deploymentName });
  } catch (error) {
    if (grpcCodeOf(error) !== GrpcCode.notFound) throw error;
    throw new DeploymentNotFoundError(deploymentName);
  }
}

function toVersion(
  summary: Summary,
  percentage: number,
): Pick<DeploymentVersion, 'build' | 'state' | 'percentage' | 'since' | 'lastCurrentAt'> {
  const { deploymentVersion, status, createTime, currentSinceTime, lastCurrentTime } = summary;
  const state = STATES[status ?? 0] ?? 'unknown';
  const since = toDate(createTime);
  const lastCurrentAt = toDate(currentSinceTime) ?? toDate(lastCurrentTime);
  return {
    build: deploymentVersion?.buildId ?? '',
    state,
    ...(state === 'ramping' && { percentage }),
    ...(since && { since }),
    ...(lastCurrentAt && { lastCurrentAt }),
  };
}

function toDate(time: proto.google.protobuf.ITimestamp | null | undefined): Date | undefined {
  const seconds = Number(time?.seconds ?? 0);
  return seconds === 0 ? undefined : new Date(seconds * 1_000 + (time?.nanos ?? 0) / 1e6);
}
