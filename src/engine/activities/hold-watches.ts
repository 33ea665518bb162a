import { CompleteAsyncError, Context } from '@temporalio/activity';

import type { WatchLease, WatchLeaseActivities } from '../wait/lease-watches.js';
import { withHeartbeat } from './attempt.js';

export interface HoldWatchesDeps {
  /** Has all watches of this identity repeated, of the runs of one task queue. */
  handOver: (lease: WatchLease & { taskQueue: string }) => Promise<void>;
}

/** The activity of `leaseWatches`. */
export function createWatchLeaseActivities({ handOver }: HoldWatchesDeps): WatchLeaseActivities {
  return {
    async holdWatches({ identity }) {
      const { attempt, taskQueue } = Context.current().info;
      // The process that watches goes on with this attempt, by its id. A further one says that it fell silent.
      if (attempt === 1) throw new CompleteAsyncError();
      await withHeartbeat(() => handOver({ identity, taskQueue }));
    },
  };
}
