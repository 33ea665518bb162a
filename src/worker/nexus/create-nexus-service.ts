import type { NativeConnection } from '@temporalio/worker';
import { serviceHandler, type ServiceHandler } from 'nexus-rpc';

import { gcoreWorkflowsService } from '../../contract/nexus.js';
import { createOperationHandler, type NexusStarts } from './operation-handler.js';

/** Whether the server has Nexus. A worker that polled for its tasks elsewhere would only be refused. */
export async function hasNexus({ workflowService }: NativeConnection): Promise<boolean> {
  const { capabilities } = await workflowService.getSystemInfo({});
  return capabilities?.nexus === true;
}

/** Serves the operations to workflows of other namespaces. */
export function createNexusService(starts: NexusStarts): ServiceHandler {
  return serviceHandler(gcoreWorkflowsService, {
    provisionInstance: createOperationHandler('provisionInstance', starts),
    protectIp: createOperationHandler('protectIp', starts),
    listSshKeys: createOperationHandler('listSshKeys', starts),
    grantSftpAccess: createOperationHandler('grantSftpAccess', starts),
    importVideos: createOperationHandler('importVideos', starts),
    modifyKvStore: createOperationHandler('modifyKvStore', starts),
    deleteInstance: createOperationHandler('deleteInstance', starts),
  });
}
