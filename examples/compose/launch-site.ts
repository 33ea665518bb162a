import { executeChild, workflowInfo } from '@temporalio/workflow';

import type { Operations, WorkflowOf } from 'gcore-workflows/contract';

type Input<O extends keyof Operations> = Parameters<WorkflowOf<O>>[0];

export interface Site extends Pick<Input<'protectIp'>, 'account' | 'projectId' | 'regionId'> {
  machine: Input<'provisionInstance'>['instance'];
  protection: NonNullable<Input<'provisionInstance'>['protect']>;
  storeId: number;
}

/** A workflow of another team: it creates a machine, protects its address and publishes it at the edge. */
export async function launchSite(site: Site, taskQueue = 'gcore-workflows') {
  const { machine, protection, storeId, ...common } = site;
  // When this workflow ends, Temporal cancels its children, and they roll back.
  const child = (operation: keyof Operations) => ({
    taskQueue,
    parentClosePolicy: 'REQUEST_CANCEL' as const,
    workflowId: `${workflowInfo().workflowId}/${operation}`,
  });
  const run = <O extends keyof Operations>(operation: O, ...args: Parameters<WorkflowOf<O>>) =>
    executeChild<WorkflowOf<O>>(operation, { ...child(operation), args });

  const machineInput = { ...common, instance: machine };
  const { instanceId, addresses } = await run('provisionInstance', machineInput);
  const address = addresses[0]?.address ?? '';
  const profile = { ...protection, ip_address: address };
  const { profileId } = await run('protectIp', { ...common, profile });
  const item = { op: 'add', key: 'origin', datatype: 'kv', payload: { value: address } } as const;
  await run('modifyKvStore', { account: common.account, storeId, items: [item] });
  return { instanceId, address, profileId };
}
