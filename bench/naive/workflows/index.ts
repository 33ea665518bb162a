import { proxyActivities, sleep } from '@temporalio/workflow';

import type { NaiveActivities } from '../activities.js';

export { plainProvision } from './plain-provision.js';

export interface NaiveResult {
  taskId: string;
  instanceId: string;
  /** When the loop saw that the task had ended. */
  noticedAt: string;
}

/** The usual first version: a retried create and a timer loop. It is the yardstick for `provisionInstance`. */
export async function naiveProvision(input: {
  taskQueue: string;
  body: unknown;
  pollMs: number;
}): Promise<NaiveResult> {
  const { createInstance, getTask, getInstance } = proxyActivities<NaiveActivities>({
    taskQueue: input.taskQueue,
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '100 milliseconds' },
  });
  const taskId = await createInstance(input.body);
  for (;;) {
    await sleep(input.pollMs);
    const task = await getTask(taskId);
    if (task.state === 'FINISHED') {
      const noticedAt = new Date().toISOString();
      return { taskId, instanceId: await getInstance(task.instanceId), noticedAt };
    }
    if (task.state === 'ERROR') throw new Error('task failed');
  }
}

/** One activity with the SDK's defaults: the smallest workflow that calls the API. */
export async function singleCall(input: { taskQueue: string }): Promise<unknown> {
  const { listKeys } = proxyActivities<NaiveActivities>({
    taskQueue: input.taskQueue,
    startToCloseTimeout: '20 seconds',
  });
  return listKeys();
}
