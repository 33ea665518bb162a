import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import { apiTaskQueue, urgentTaskQueue } from '../contract/names.js';

export interface QueuePollers {
  taskQueue: string;
  pollers: number;
}

const { TaskQueueType } = proto.temporal.api.enums.v1;

/** A poll lasts a minute at most, and the server remembers pollers for five: an older one is gone. */
const LAST_POLL_WITHIN_MS = 75_000;

/** How many workers poll the queue of the workflows, and those of the account's calls. */
export async function countPollers(
  client: Client,
  workflows: string,
  account: string,
): Promise<QueuePollers[]> {
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
    count(workflows, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
    count(apiTaskQueue(account), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
    count(urgentTaskQueue(account), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
  ]);
}
