import type { DeploymentStatus, DeploymentVersion } from '../../../client/index.js';
import { align } from '../../output/align.js';
import { formatDuration } from '../../../client/format-duration.js';

/** A table of the versions, and what stands still. */
export function renderDeployment(status: DeploymentStatus, now: number): string[] {
  const { deployment, versions, unversioned, troubles, current } = status;
  const rows = versions.map((version) => [
    version.build,
    stateOf(version),
    String(version.openRuns),
    String(version.workers),
    version.since === undefined ? '' : formatDuration(now - version.since.getTime()),
  ]);
  const none = [
    'no version',
    current === undefined ? 'current' : '',
    String(unversioned.openRuns),
    String(unversioned.workers),
    '',
  ];
  const hasUnversioned =
    current === undefined || unversioned.openRuns > 0 || unversioned.workers > 0;
  return [
    `deployment ${deployment}`,
    ...align([
      ['BUILD', 'STATE', 'RUNS', 'WORKERS', 'AGE'],
      ...rows,
      ...(hasUnversioned ? [none] : []),
    ]),
    ...troubles.flatMap(({ text, advice }) => [`! ${text}`, `  what to do: ${advice}`]),
  ];
}

function stateOf({ state, percentage }: DeploymentVersion): string {
  return percentage === undefined ? state : `${state}, ${percentage} %`;
}
