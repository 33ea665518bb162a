import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import { apiTaskQueue, urgentTaskQueue } from '../contract/wire/names.js';

export interface QueuePollers {
  taskQueue: string;
  pollers: number;
}

// `describeTaskQueue` takes this enum, and no other package exports it.
const { TaskQueueType, WorkerVersioningMode } = proto.temporal.api.enums.v1;

/** A poll lasts at most a minute, but the server lists pollers for five minutes. An older poller has stopped. */
const LAST_POLL_WITHIN_MS = 75_000;

type PollerInfo = proto.temporal.api.taskqueue.v1.IPollerInfo;

/** The number of workers that poll the workflow queue and the queues of the account's calls. */
export async function countPollers(
  client: Client,
  workflows: string,
  account: string,
): Promise<QueuePollers[]> {
  const count = async (
    taskQueue: string,
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType,
  ): Promise<QueuePollers> => {
    const alive = await alivePollers(client, taskQueue, taskQueueType);
    return { taskQueue, pollers: alive.length };
  };
  return Promise.all([
    count(workflows, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
    count(apiTaskQueue(account), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
    count(urgentTaskQueue(account), TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
  ]);
}

/** How the workers of the workflows sign their code, one entry a worker, and how many do not. */
export async function buildsOf(
  client: Client,
  workflows: string,
): Promise<{ builds: string[]; unsigned: number }> {
  const alive = await alivePollers(client, workflows, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW);
  const all = alive.map(
    ({ workerVersionCapabilities: old, deploymentOptions: deployed }) =>
      deployed?.buildId || old?.buildId || undefined,
  );
  const builds = all.filter((build) => build !== undefined);
  return { builds, unsigned: all.length - builds.length };
}

/** A worker of the workflows; without a version when it is not versioned. */
export interface WorkflowWorker {
  version?: { deployment: string; build: string };
}

export async function workflowWorkers(
  client: Client,
  workflows: string,
): Promise<WorkflowWorker[]> {
  const alive = await alivePollers(client, workflows, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW);
  return alive.map(({ deploymentOptions: deployed }) => {
    const { WORKER_VERSIONING_MODE_VERSIONED: versioned } = WorkerVersioningMode;
    const { deploymentName: deployment, buildId: build } = deployed ?? {};
    if (deployed?.workerVersioningMode !== versioned || !deployment || !build) return {};
    return { version: { deployment, build } };
  });
}

async function alivePollers(
  client: Client,
  taskQueue: string,
  taskQueueType: proto.temporal.api.enums.v1.TaskQueueType,
): Promise<PollerInfo[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  return pollers.filter(({ lastAccessTime }) => {
    const lastPollMs = Number(lastAccessTime?.seconds ?? 0) * 1000;
    return Date.now() - lastPollMs < LAST_POLL_WITHIN_MS;
  });
}
