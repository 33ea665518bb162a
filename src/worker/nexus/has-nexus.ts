import type { NativeConnection } from '@temporalio/worker';

/** Whether the server has Nexus. A worker that polled for its tasks elsewhere would only be refused. */
export async function hasNexus({ workflowService }: NativeConnection): Promise<boolean> {
  const { capabilities } = await workflowService.getSystemInfo({});
  return capabilities?.nexus === true;
}
