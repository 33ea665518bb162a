import { executeChild, workflowInfo } from '@temporalio/workflow';

import type { ProvisionInstanceInput, WorkflowOf } from 'gcore-workflows/contract';

export interface Site extends Pick<ProvisionInstanceInput, 'account' | 'projectId' | 'regionId'> {
  machine: ProvisionInstanceInput['instance'];
  protection: NonNullable<ProvisionInstanceInput['protect']>;
}

/** A workflow of another team: a machine, then the protection of its address. */
export async function launchSite(site: Site, taskQueue = 'gcore-workflows') {
  const { machine, protection, ...common } = site;
  // A child ends with this workflow: cancelled, it undoes what it did.
  const child = (operation: string) => ({
    taskQueue,
    parentClosePolicy: 'REQUEST_CANCEL' as const,
    workflowId: `${operation}/default/${workflowInfo().workflowId}`,
  });
  const { instanceId, addresses } = await executeChild<WorkflowOf<'provisionInstance'>>(
    'provisionInstance',
    { ...child('provision-instance'), args: [{ ...common, instance: machine }] },
  );
  const profile = { ...protection, ip_address: addresses[0]?.address ?? '' };
  const args: Parameters<WorkflowOf<'protectIp'>> = [{ ...common, profile }];
  const protect = { ...child('protect-ip'), args };
  const { profileId } = await executeChild<WorkflowOf<'protectIp'>>('protectIp', protect);
  return { instanceId, address: profile.ip_address, profileId };
}
