import { proxyActivities } from '@temporalio/workflow';

import type { NaiveActivities } from '../activities.js';

/** One activity with the SDK's defaults: the smallest workflow that calls the API. */
export async function singleCall(input: { taskQueue: string }): Promise<unknown> {
  const { listKeys } = proxyActivities<NaiveActivities>({
    taskQueue: input.taskQueue,
    startToCloseTimeout: '20 seconds',
  });
  return listKeys();
}
