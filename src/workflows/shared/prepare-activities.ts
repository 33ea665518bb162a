import { proxyLocalActivities } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../activities/prepare.js';

/** Local activities that check an input and add what the worker knows: defaults, marker, policy. */
export const prepareActivities = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});
