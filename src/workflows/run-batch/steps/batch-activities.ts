import { proxyActivities } from '@temporalio/workflow';

import type { BatchActivities } from '../../../activities/index.js';

const retry = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;
const heartbeatTimeout = '30 seconds';

/** On the task queue of the workflows, because they send no request to the API. */
export const { scanItems, checkNames } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout,
  retry,
});

/** What it has started counts, also when the batch is to end meanwhile. */
export const { startItems } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout,
  retry,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/** What was begun without an answer. A list that cannot be read must not keep a batch from its end. */
export const { findItems, scanItems: scanOnce } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout,
  retry: { ...retry, maximumAttempts: 5 },
});

/** Ends with its batch, and whenever the batch has something else to do. */
export const { followItems } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout,
  retry,
  cancellationType: 'TRY_CANCEL',
});

/** A run that does not answer is asked by a person: the activity gives it up, and the batch goes on. */
export const { askItems } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout,
  retry,
});
