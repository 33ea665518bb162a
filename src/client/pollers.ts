import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import { apiTaskQueue, WORKFLOW_TASK_QUEUE } from '../contract/names.js';

export interface QueuePollers {
  taskQueue: string;
  pollers: number;
}

const { TaskQueueType } = proto.temporal.api.enums.v1;

/** A poll lasts a minute at most, and the server remembers pollers for five: an older one is gone. */
const LAST_POLL_WITHIN_MS = 75_000;

/** How many workers poll the queues that a run of this account needs. */
export async function countPollers(client: Client, account: string): Promise<QueuePollers[]> {
  const count = async (
    taskQueue: string,
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType,
  ): Promise<QueuePollers> => {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType,
    });
    const alive = pollers.filter(({ lastAccessTime }) => {
      const lastPollMs = Number(lastAccessTime?.seconds ?? 0) * 1000;
      return Date.now() - lastPollMs < LAST_POLL_WITHIN_MS;
    });
    return { taskQueue, pollers: alive.length };
  };
  return Promise.all([
    count(WORKFLOW_TASK_QUEUE, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
    count(apiTaskQueue(account), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
  ]);
}
