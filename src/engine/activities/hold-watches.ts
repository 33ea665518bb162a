import { CompleteAsyncError, Context } from '@temporalio/activity';

import type { WatchLease, WatchLeaseActivities } from '../wait/lease-watches.js';
import { withHeartbeat } from './attempt.js';

export interface HoldWatchesDeps {
  /** Has all watches of this identity repeated, of the runs of one task queue. */
  repeat: (lease: WatchLease & { taskQueue: string }) => Promise<void>;
}

/** The activities of `leaseWatches`. */
export function createWatchLeaseActivities({ repeat }: HoldWatchesDeps): WatchLeaseActivities {
  return {
    // The process that watches goes on with it, by its id.
    holdWatches: () => Promise.reject(new CompleteAsyncError()),
    async repeatWatches({ identity }) {
      const { taskQueue } = Context.current().info;
      await withHeartbeat(() => repeat({ identity, taskQueue }));
    },
  };
}
