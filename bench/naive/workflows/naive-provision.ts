import { proxyActivities, sleep } from '@temporalio/workflow';

import type { NaiveActivities } from '../activities.js';

/**
 * The usual first version: a retried create and a timer loop. It is the yardstick for
 * `provisionInstance`.
 */
export async function naiveProvision(input: {
  taskQueue: string;
  body: unknown;
  pollMs: number;
}): Promise<string> {
  const { createInstance, getTask, getInstance } = proxyActivities<NaiveActivities>({
    taskQueue: input.taskQueue,
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '100 milliseconds' },
  });
  const taskId = await createInstance(input.body);
  for (;;) {
    await sleep(input.pollMs);
    const task = await getTask(taskId);
    if (task.state === 'FINISHED') return getInstance(task.instanceId);
    if (task.state === 'ERROR') throw new Error('task failed');
  }
}
