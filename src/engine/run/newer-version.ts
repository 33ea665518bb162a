import { workflowInfo } from '@temporalio/workflow';

/**
 * Whether the run is pinned to a version of the workers and another one should have it now. Known from the last
 * workflow task on. Never without Worker Versioning.
 */
export function isNewerVersionCurrent(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** The next history of a pinned run would stay at its version; with this it begins at the current one. */
export const AT_CURRENT_VERSION = { initialVersioningBehavior: 'AUTO_UPGRADE' } as const;
