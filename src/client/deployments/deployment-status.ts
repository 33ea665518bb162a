import { plural } from '../../engine/core/text.js';

/**
 * `current`: new runs begin there. `ramping`: a share of them does. `inactive`: it has never had any.
 * `draining`: it has open runs and gets no new ones. `drained`: all of its runs have ended.
 */
export type VersionState = 'current' | 'ramping' | 'inactive' | 'draining' | 'drained' | 'unknown';

/** One version of the workers. */
export interface DeploymentVersion {
  /** Its build id: what a worker logs when it starts. */
  build: string;
  state: VersionState;
  /** The share of new runs, in percent; of a ramping version only. */
  percentage?: number;
  /** Open runs that are pinned to it, with their locks and deliveries. */
  openRuns: number;
  /** Workers that poll the queue of the workflows. One that has just stopped counts for 75 s more. */
  workers: number;
  since?: Date;
  /** When new runs last went there. */
  lastCurrentAt?: Date;
}

/** What Temporal knows of a Worker Deployment. */
export interface DeploymentStatus {
  deployment: string;
  /** The newest first. */
  versions: DeploymentVersion[];
  /** The build id of the current version; missing when unversioned workers get the new runs. */
  current?: string;
  ramping?: string;
  /** Workers that are not versioned, and open runs that no version has yet. */
  unversioned: { workers: number; openRuns: number };
  /** What stands still, and what to do. Empty when all is in order. */
  troubles: Trouble[];
}

export interface Trouble {
  text: string;
  advice: string;
}

/** What stands still because of where runs go and where workers are. */
export function troublesOf({
  versions,
  current,
  unversioned,
}: Omit<DeploymentStatus, 'troubles'>): Trouble[] {
  return [
    ...(current === undefined ? withoutCurrent(versions, unversioned) : []),
    ...(current !== undefined && unversioned.workers > 0
      ? [
          {
            text: `${plural(unversioned.workers, 'worker')} without a version: no run comes to them while ${current} is current`,
            advice: 'set GCORE_WORKFLOWS_DEPLOYMENT for them and start them again, or stop them',
          },
        ]
      : []),
    ...versions.flatMap(withoutWorkers),
  ];
}

function withoutCurrent(
  versions: readonly DeploymentVersion[],
  unversioned: DeploymentStatus['unversioned'],
): Trouble[] {
  if (unversioned.workers > 0) return [];
  const ready = versions.find(({ workers }) => workers > 0);
  if (ready === undefined) return [];
  const text = 'no version is current and every worker has one: new runs wait, and nothing is lost';
  return [{ text, advice: `gcore-workflows deploy promote ${ready.build}` }];
}

function withoutWorkers({ build, state, openRuns, workers }: DeploymentVersion): Trouble[] {
  if (workers > 0) return [];
  const starts = state === 'current' || state === 'ramping';
  if (!starts && openRuns === 0) return [];
  const waiting = openRuns === 0 ? 'new runs wait' : `${plural(openRuns, 'open run')} wait`;
  return [
    {
      text: `no worker has the version ${build} (${state}): ${waiting}, and nothing is lost`,
      advice: starts
        ? 'start workers of this version, or: gcore-workflows deploy rollback'
        : `start workers of this version again until it is drained; what may leave it earlier: gcore-workflows deploy drain ${build}`,
    },
  ];
}

/** The version that was current before: the one to go back to. */
export function versionBefore({
  versions,
  current,
}: DeploymentStatus): DeploymentVersion | undefined {
  return versions
    .filter(({ build, lastCurrentAt }) => build !== current && lastCurrentAt !== undefined)
    .sort((a, b) => Number(b.lastCurrentAt) - Number(a.lastCurrentAt))[0];
}
