import { flattenGroups, type ActivityKind, type Group } from './activity-groups.js';
import { refuseInResetRuns } from './refuse-in-reset-run.js';
import { stampReads } from './stamp-reads.js';

/**
 * What a worker registers for an account: its reads say when they were made, and nothing is sent for a run that was
 * reset. By the groups alone, so that no call can be left out.
 */
export function registeredActivities<G extends Record<ActivityKind, Group>>(groups: G) {
  return flattenGroups({
    ...groups,
    reads: stampReads(groups.reads),
    deletes: refuseInResetRuns(groups.deletes),
    mutations: refuseInResetRuns(groups.mutations),
    convergent: refuseInResetRuns(groups.convergent),
  });
}
