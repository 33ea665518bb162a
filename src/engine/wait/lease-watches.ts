import {
  ActivityFailure,
  isCancellation,
  proxyActivities,
  setWorkflowOptions,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';

import { Urgency, WATCH_LEASE_ACTIVITY } from '../core/names.js';
import { refuseUnknownFields } from '../run/refuse-unknown-fields.js';

export interface WatchLease {
  /** Under which workers of one process watch tasks: from the beginning of this lease on, and never again after its end. */
  identity: string;
}

export interface WatchLeaseActivities {
  /** Ends when the process has left, and fails when it falls silent. A heartbeat says how old the lease is, in milliseconds. */
  holdWatches(lease: WatchLease): Promise<void>;
  /** Has all watches repeated that the Temporal server believes to be with this identity. */
  repeatWatches(lease: WatchLease): Promise<void>;
}

const priority = { priorityKey: Urgency.incident };

const { holdWatches } = proxyActivities<WatchLeaseActivities>({
  activityId: WATCH_LEASE_ACTIVITY,
  // Five heartbeats of the process: it may be busy for a while.
  heartbeatTimeout: '15 seconds',
  // As long as the process lives.
  startToCloseTimeout: '3650 days',
  retry: { maximumAttempts: 1 },
  priority,
});

const { repeatWatches } = proxyActivities<WatchLeaseActivities>({
  // The process that has fallen silent may have taken it.
  heartbeatTimeout: '5 seconds',
  startToCloseTimeout: '1 hour',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
  priority,
});

/**
 * The Temporal server keeps a poll open for a minute, and gives watches to it whatever has become of its process. A process
 * that is not heard begins no polls after ten seconds.
 */
const LAST_POLL_MS = 75_000;
/** What came to a poll meanwhile is repeated after this time. Each look reads every open run. */
const LOOK_EVERY_MS = 15_000;

/**
 * Says for all watches of a process together that it lives; it is not an operation. The process heartbeats the first
 * activity. What its end leaves, other processes go on with: see docs/decisions/0061 and 0071.
 */
export async function leaseWatches(lease: WatchLease): Promise<void> {
  refuseUnknownFields('the input', lease, { identity: true });
  const lastPollAt = await untilSilent(lease);
  for (;;) {
    const lookedAt = Date.now();
    await repeatWatches(lease);
    if (lookedAt >= lastPollAt) return;
    await sleep(lookedAt + LOOK_EVERY_MS - Date.now(), { summary: 'polls of a silent process' });
  }
}

/** Until when polls of the process may be open, in milliseconds since the epoch. One that leaves closes them. */
async function untilSilent(lease: WatchLease): Promise<number> {
  try {
    await holdWatches(lease);
    return 0;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return lastBeatOf(error) + LAST_POLL_MS;
  }
}

/** The server tells nobody when it has heard a heartbeat. */
function lastBeatOf(error: unknown): number {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const ageMs = cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : undefined;
  const { startTime } = workflowInfo();
  return typeof ageMs === 'number' ? startTime.getTime() + ageMs : Date.now();
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
