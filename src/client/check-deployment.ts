import type { Client } from '@temporalio/client';

import type { Check } from '../contract/check.js';
import { setCurrentVersion } from '../contract/set-current-version.js';
import { IS_OPEN, plural, quoteValue } from '../engine/core/text.js';
import { workflowWorkers } from './pollers.js';

/** One version of the workers. */
export interface VersionState {
  /** Its build id: what a worker logs when it starts. */
  build: string;
  /** New runs begin at the current version, except for the share that the ramping version takes. */
  role: 'current' | 'ramping' | 'old';
  /** Open runs that are pinned to it, with their locks and deliveries. */
  openRuns: number;
  /** Workers that poll the queue of the workflows. One that has just stopped counts for 75 s more. */
  workers: number;
}

export interface DeploymentState {
  deployment: string;
  /** The newest first. */
  versions: readonly VersionState[];
  /** Workers that have no version. */
  unversionedWorkers: number;
}

/**
 * What stands still because of where runs go and where workers are. Temporal itself lets a version without workers become
 * current, and says nothing of runs whose workers were stopped too early.
 */
export async function checkDeployment(
  client: Client,
  taskQueue: string,
  deployment: string,
): Promise<Omit<Check, 'name'>> {
  return judgeDeployment(await readDeployment(client, taskQueue, deployment));
}

export function judgeDeployment(state: DeploymentState): Omit<Check, 'name'> {
  const { deployment, versions, unversionedWorkers } = state;
  const current = versions.find(({ role }) => role === 'current');
  const [trouble] = [
    ...(current === undefined ? withoutCurrent(state) : []),
    ...(current !== undefined && unversionedWorkers > 0
      ? [withoutVersion(unversionedWorkers, current.build)]
      : []),
    ...versions.flatMap((version) => withoutWorkers(version, deployment)),
  ];
  if (trouble !== undefined) return { state: 'fault', ...trouble };
  const share = versions.flatMap(({ role, build }) =>
    role === 'ramping' ? `, ${build} is ramping` : [],
  );
  const workers = versions
    .filter((version) => version.workers > 0)
    .map((version) => `${version.build}: ${plural(version.workers, 'worker')}`);
  const text = `deployment ${deployment}: ${current?.build ?? 'none'} is current${share.join('')}; ${workers.join(', ')}`;
  return { state: 'ok', text };
}

interface Trouble {
  text: string;
  advice: string;
}

function withoutCurrent({ deployment, versions, unversionedWorkers }: DeploymentState): Trouble[] {
  if (unversionedWorkers > 0) return [];
  const ready = versions.find(({ workers }) => workers > 0);
  if (ready === undefined) return [];
  const text = 'no version is current and every worker has one: new runs wait, and nothing is lost';
  return [{ text, advice: setCurrentVersion(deployment, ready.build) }];
}

function withoutVersion(workers: number, current: string): Trouble {
  return {
    text: `${plural(workers, 'worker')} without a version: no run comes to them while ${current} is current`,
    advice: 'set GCORE_WORKFLOWS_DEPLOYMENT for them and start them again, or stop them',
  };
}

function withoutWorkers(
  { build, role, openRuns, workers }: VersionState,
  deployment: string,
): Trouble[] {
  const isStarting = role !== 'old';
  if (workers > 0 || (!isStarting && openRuns === 0)) return [];
  const waiting = openRuns === 0 ? 'new runs wait' : `${plural(openRuns, 'open run')} wait`;
  return [
    {
      text: `no worker has the version ${build} (${role}): ${waiting}, and nothing is lost`,
      advice: isStarting
        ? `start workers of this version, or send new runs to another one: ${setCurrentVersion(deployment, 'BUILD')}`
        : 'start workers of this version again until its last run has ended or moved (docs/upgrade.md)',
    },
  ];
}

async function readDeployment(
  client: Client,
  taskQueue: string,
  deployment: string,
): Promise<DeploymentState> {
  const { namespace } = client.options;
  const { workerDeploymentInfo: info } = await client.workflowService.describeWorkerDeployment({
    namespace,
    deploymentName: deployment,
  });
  const workers = await workflowWorkers(client, taskQueue);
  const current = info?.routingConfig?.currentDeploymentVersion?.buildId;
  const ramping = info?.routingConfig?.rampingDeploymentVersion?.buildId;
  const builds = [...(info?.versionSummaries ?? [])]
    .sort((a, b) => Number(b.createTime?.seconds ?? 0) - Number(a.createTime?.seconds ?? 0))
    .map(({ deploymentVersion }) => deploymentVersion?.buildId ?? '');
  const versions = builds.map(async (build): Promise<VersionState> => {
    const own = workers.filter(
      ({ version }) => version?.build === build && version.deployment === deployment,
    );
    return {
      build,
      role: build === current ? 'current' : build === ramping ? 'ramping' : 'old',
      openRuns: await countOpen(client, `${deployment}:${build}`),
      workers: own.length,
    };
  });
  return {
    deployment,
    versions: await Promise.all(versions),
    unversionedWorkers: workers.filter(({ version }) => version === undefined).length,
  };
}

/** Whoever starts a worker chooses its build id: it may contain anything. */
export function openRunsQuery(version: string): string {
  return `TemporalWorkerDeploymentVersion = ${quoteValue(version)} AND ${IS_OPEN}`;
}

async function countOpen(client: Client, version: string): Promise<number> {
  const query = openRunsQuery(version);
  const { namespace } = client.options;
  const { count } = await client.workflowService.countWorkflowExecutions({ namespace, query });
  return Number(count);
}
