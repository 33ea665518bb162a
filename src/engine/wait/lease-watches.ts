import { proxyActivities, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';

import { Urgency, WATCH_LEASE_ACTIVITY } from '../core/names.js';
import { refuseUnknownFields } from '../run/refuse-unknown-fields.js';

export interface WatchLease {
  /** Under which the workers of one process, and no others, watch tasks. */
  identity: string;
}

export interface WatchLeaseActivities {
  /** Ends when the process has left, or when another one has taken its watches from it. */
  holdWatches(lease: WatchLease): Promise<void>;
}

const { holdWatches } = proxyActivities<WatchLeaseActivities>({
  activityId: WATCH_LEASE_ACTIVITY,
  // Five heartbeats of the process: it may be busy for a while.
  heartbeatTimeout: '15 seconds',
  // As long as the process lives.
  startToCloseTimeout: '3650 days',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
  priority: { priorityKey: Urgency.incident },
});

/**
 * Says for all watches of a process together that it lives; it is not an operation. The process heartbeats the one
 * activity of this run. When it falls silent, Temporal gives the activity to another process, and that one has the
 * watches repeated; see docs/decisions/0061.
 */
export async function leaseWatches(lease: WatchLease): Promise<void> {
  refuseUnknownFields('the input', lease, { identity: true });
  await holdWatches(lease);
}

// A lease that waited for workers of its own version would hold back the end of that version, and nobody would take
// over. A server refuses a behaviour from workers without versions.
setWorkflowOptions(
  () =>
    workflowInfo().currentDeploymentVersion?.deploymentName
      ? { versioningBehavior: 'AUTO_UPGRADE' }
      : {},
  leaseWatches,
);
