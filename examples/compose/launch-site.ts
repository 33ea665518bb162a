import { executeChild, workflowInfo } from '@temporalio/workflow';

import type { ProvisionInstanceInput } from 'gcore-workflows/contract';
import type { protectIp, provisionInstance } from 'gcore-workflows/workflows';

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
  const { instanceId, addresses } = await executeChild<typeof provisionInstance>(
    'provisionInstance',
    { ...child('provision-instance'), args: [{ ...common, instance: machine }] },
  );
  const profile = { ...protection, ip_address: addresses[0]?.address ?? '' };
  const args: Parameters<typeof protectIp> = [{ ...common, profile }];
  const protect = { ...child('protect-ip'), args };
  const { profileId } = await executeChild<typeof protectIp>('protectIp', protect);
  return { instanceId, address: profile.ip_address, profileId };
}
