import type {
  Client,
  WorkflowExecutionDescription,
  WorkflowExecutionInfo,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import proto from '@temporalio/proto';

import {
  apiTaskQueue,
  urgentTaskQueue,
  accountOfQueue,
  operationOfId,
  SearchAttribute,
} from '../contract/wire/names.js';
import { DEFAULT_ACCOUNT, plannedIdOf } from '../engine/core/names.js';
import { isoOf } from '../engine/core/times.js';
import type { UnservedAccount } from '../engine/schema/status-document.js';
import { toMs } from './explain/decode.js';

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

const { PENDING_ACTIVITY_STATE_SCHEDULED } = proto.temporal.api.enums.v1.PendingActivityState;
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);

/** The account of a run, by its search attribute or else by its Workflow Id. */
export function accountOfRun(
  run: Pick<WorkflowExecutionInfo, 'typedSearchAttributes' | 'workflowId'>,
): string {
  return run.typedSearchAttributes.get(ACCOUNT) ?? accountOf(run.workflowId);
}

/** The account that no worker serves, when a call of the run has waited for a worker for this time. */
export async function findUnservedAccount(
  client: Client,
  run: WorkflowExecutionDescription,
  afterMs: number,
): Promise<UnservedAccount | undefined> {
  const waiting = (run.raw.pendingActivities ?? [])
    .filter(({ state }) => state === PENDING_ACTIVITY_STATE_SCHEDULED)
    .map(({ scheduledTime, activityOptions }) => ({
      since: toMs(scheduledTime),
      queue: activityOptions?.taskQueue?.name ?? '',
    }))
    // The time of a call that Temporal repeats later lies ahead.
    .filter(({ since }) => Date.now() - since >= afterMs)
    .sort((a, b) => a.since - b.since);
  const [oldest] = waiting;
  if (oldest === undefined) return undefined;
  const account = accountOfQueue(oldest.queue) ?? accountOfRun(run);
  const queues = await countPollers(client, run.taskQueue, account);
  const idle = queues.filter(({ pollers }) => pollers === 0).map(({ taskQueue }) => taskQueue);
  if (!isUnserved(account, idle)) return undefined;
  const advice = `${capitalized(adviceToServe(account))}.`;
  return { account, since: isoOf(oldest.since), advice };
}

/** Whether workers run the workflows, but none makes the calls of this account. */
export function isUnserved(account: string, idleQueues: readonly string[]): boolean {
  const queues = [apiTaskQueue(account), urgentTaskQueue(account)];
  return idleQueues.length === queues.length && queues.every((name) => idleQueues.includes(name));
}

/** What to do when no worker serves an account. */
export function adviceToServe(account: string, command = 'gcore-workflows worker'): string {
  return `start a worker with ${settingOf(account)} and the API key of this account (${command}), or add the account to the file that GCORE_ACCOUNTS_FILE names and restart a worker; or end the run and start it with an account that a worker serves`;
}

/** ` with GCORE_ACCOUNT=blue`, or nothing for the default account. */
export function withAccountSetting(account: string): string {
  return account === DEFAULT_ACCOUNT ? '' : ` with ${settingOf(account)}`;
}

function settingOf(account: string): string {
  return `GCORE_ACCOUNT=${account}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `provision-instance/<account>/<request id>`; any other id belongs to the default account. */
export function accountOf(workflowId: string): string {
  return accountOfId(workflowId) ?? DEFAULT_ACCOUNT;
}

/** `undefined` for an id of the caller, which may be `orders/eu/17` as well. */
export function accountOfId(workflowId: string): string | undefined {
  if (operationOfId(workflowId) === undefined) return undefined;
  return /^[^/]+\/([^/]+)\/./.exec(plannedIdOf(workflowId) ?? workflowId)?.[1];
}
