import proto from '@temporalio/proto';
import pMap from 'p-map';

import { DELIVER_WEBHOOKS, HOLD_TURN, LEASE_WATCHES } from '../engine/core/names.js';
import { IS_OPEN, quoteValue } from '../engine/core/text.js';
import type { CutShortDeps } from './cut-short.js';
import { isNotFound } from './is-not-found.js';
import { listOpenRuns, type OpenRun } from './list-open-runs.js';

/** Shares the server with the runs that go on. */
const AT_ONCE = 16;
const ANSWER_WITHIN_MS = 10_000;
/** All pages together. */
const LIST_WITHIN_MS = 60_000;
const { PENDING_ACTIVITY_STATE_STARTED } = proto.temporal.api.enums.v1.PendingActivityState;
/** Temporal repeats a watch that fails, and another process takes it. A watch that had just ended is not changed. */
const LOST = {
  message: 'The worker that watched this task no longer answers; another one goes on',
  source: 'gcore-workflows',
  applicationFailureInfo: { type: 'WatcherLost' },
};

/** They wait for no task. */
const NEVER_WATCHED = [HOLD_TURN, LEASE_WATCHES, DELIVER_WEBHOOKS].map(quoteValue).join(', ');

/**
 * Has the watches repeated that the server believes to be with an identity. A watch whose process goes on with it after all is
 * repeated needlessly, and nothing is lost: it is a read.
 */
export function createRepeatWatches(deps: CutShortDeps) {
  return async ({ identity, taskQueue }: { identity: string; taskQueue: string }) => {
    const query = `TaskQueue = ${quoteValue(taskQueue)} AND ${IS_OPEN} AND WorkflowType NOT IN (${NEVER_WATCHED})`;
    const runs = await deps.connection.withDeadline(Date.now() + LIST_WITHIN_MS, () =>
      listOpenRuns(deps, query),
    );
    await pMap(runs, (run) => failWatches(deps, run, identity), { concurrency: AT_ONCE });
  };
}

async function failWatches(
  { connection, namespace }: CutShortDeps,
  execution: OpenRun,
  identity: string,
): Promise<void> {
  const { workflowService } = connection;
  const run = await unlessGone(
    connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      workflowService.describeWorkflowExecution({ namespace, execution }),
    ),
  );
  for (const { activityId, state, lastWorkerIdentity } of run?.pendingActivities ?? []) {
    if (lastWorkerIdentity !== identity || state !== PENDING_ACTIVITY_STATE_STARTED) continue;
    const watch = { ...execution, namespace, activityId: activityId ?? '' };
    await unlessGone(
      connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        workflowService.respondActivityTaskFailedById({ ...watch, identity, failure: LOST }),
      ),
    );
  }
}

/** The run, or its watch, may have ended meanwhile. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
