import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  proxyActivities,
  proxyLocalActivities,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';

import type {
  ApiActivityGroups,
  WithReads,
  StampedReads,
  WatchActivities,
} from '../../../src/activities/index.js';
import type { createPrepareActivities } from '../../../src/activities/prepare.js';
import type { PreparedProvisionInstance } from '../../../src/contract/wire/prepared.js';
import type { TaskView } from '../../../src/activities/tasks.js';
import type { EndedTask } from '../../../src/activities/watch.js';
import { apiTaskQueue, SearchAttribute, watchTaskQueue } from '../../../src/contract/wire/names.js';
import type { ProvisionInstanceInput } from '../../../src/contract/operations/types.js';

const { prepareProvisionInstance } = proxyLocalActivities<
  ReturnType<typeof createPrepareActivities>
>({ startToCloseTimeout: '5 seconds' });

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);
const ACCOUNT = defineSearchAttributeKey(SearchAttribute.account, SearchAttributeType.KEYWORD);
const RESOURCE_ID = defineSearchAttributeKey(
  SearchAttribute.resourceId,
  SearchAttributeType.KEYWORD_LIST,
);

const HOUR_MS = 3_600_000;

/**
 * Only the commands of a successful `provisionInstance`, in the same order and of the same size: no
 * engine, no status, no updates, no rollback. It is the yardstick for the cost of the product's code.
 */
export async function plainProvision(input: ProvisionInstanceInput): Promise<unknown> {
  const startedAt = new Date().toISOString();
  const plan = await prepareProvisionInstance(input);
  const { account, projectId, regionId, marker } = plan;
  const place = { projectId, regionId };
  publish(account, 'running', []);
  const api = apiOf(account);
  const label = input.instance.name ?? 'instance';
  const create = { ...place, marker, maker: marker, instance: input.instance };
  const first = { read: 'listInstances', input: { ...place, marker }, nothing: [] };
  const { taskIds } = await api.createInstance.executeWithOptions({ summary: `create ${label}` }, [
    create,
    { first },
  ]);
  const { created, seen } = await waitFor(plan, taskIds.join());
  const endedAt = new Date().toISOString();
  const instanceId = created.instances.join();
  const verify = { summary: `is ${instanceId} ACTIVE?` };
  const { name, status, flavor, addresses } =
    seen?.instance ??
    (await api.getInstance.executeWithOptions(verify, [{ ...place, instanceId }])).result;
  const resources = [
    { kind: 'instance', id: instanceId },
    ...created.volumes.map((id) => ({ kind: 'volume', id })),
  ];
  const ids = resources.map(({ id }) => id);
  publish(account, 'succeeded', ids);
  const step = { state: 'verified', startedAt, endedAt };
  const ledger = [
    { ...step, name: 'create instance', taskIds, resources },
    { ...step, name: 'verify instance', taskIds: [], resources: [], note: `status ${status}` },
  ];
  return { instanceId, name, status, flavor, regionId, addresses, taskIds, adopted: false, ledger };
}

function apiOf(account: string) {
  return proxyActivities<
    StampedReads<ApiActivityGroups['reads']> & WithReads<ApiActivityGroups['mutations']>
  >({
    taskQueue: apiTaskQueue(account),
    startToCloseTimeout: '20 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  });
}

function publish(account: string, phase: string, ids: string[]): void {
  upsertSearchAttributes([
    { key: PHASE, value: phase },
    { key: ACCOUNT, value: account },
    { key: RESOURCE_ID, value: ids },
  ]);
}

function waitFor(plan: PreparedProvisionInstance, taskId: string): Promise<EndedTask> {
  return plan.policy.watcher === true ? watch(plan, taskId) : lookByTimers(plan, taskId);
}

async function watch(
  { account, projectId, regionId }: PreparedProvisionInstance,
  taskId: string,
): Promise<EndedTask> {
  const { watchTask } = proxyActivities<WatchActivities>({
    taskQueue: watchTaskQueue(account),
    scheduleToCloseTimeout: HOUR_MS,
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });
  const since = Date.now();
  const thenRead = { instanceIn: { projectId, regionId } };
  const watched = { taskId, type: 'create_vm', since, giveUpAt: since + 3 * HOUR_MS, thenRead };
  return watchTask.executeWithOptions({ summary: `watch task ${taskId}` }, [watched]);
}

async function lookByTimers(
  { account, policy }: PreparedProvisionInstance,
  taskId: string,
): Promise<TaskView> {
  const { getTask } = apiOf(account);
  let state = '';
  for (;;) {
    await sleep(policy.poll.minMs, { summary: `task ${taskId}${state}: next look` });
    const options = { summary: `task ${taskId}` };
    const { result: task } = await getTask.executeWithOptions(options, [{ taskId }]);
    if (task.state === 'FINISHED') return task;
    state = ` ${task.state}`;
  }
}
