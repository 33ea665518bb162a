import { proxyActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';
import { localActivities } from '../../engine/run/local-activities.js';

type PrepareActivities = ReturnType<typeof createPrepareActivities>;

/** Local activities that check an input and add what the worker knows: defaults, marker, policy. */
export const prepareActivities = localActivities<PrepareActivities>();

/**
 * Asks other runs, and none of them answers without a workflow task. A local activity keeps the one of its own run meanwhile: as
 * many as a worker may have would wait for each other.
 */
export const { leftBefore } = proxyActivities<Pick<PrepareActivities, 'leftBefore'>>({
  startToCloseTimeout: '1 minute',
});
