import { serviceHandler, type ServiceHandler } from 'nexus-rpc';

import { gcoreWorkflowsService } from '../../contract/nexus.js';
import { createOperationHandler } from './operation-handler.js';

/** Serves the operations to workflows of other namespaces. The runs start on this task queue. */
export function createNexusService(taskQueue: string): ServiceHandler {
  return serviceHandler(gcoreWorkflowsService, {
    provisionInstance: createOperationHandler('provisionInstance', taskQueue),
    protectIp: createOperationHandler('protectIp', taskQueue),
    listSshKeys: createOperationHandler('listSshKeys', taskQueue),
    grantSftpAccess: createOperationHandler('grantSftpAccess', taskQueue),
    importVideos: createOperationHandler('importVideos', taskQueue),
    modifyKvStore: createOperationHandler('modifyKvStore', taskQueue),
    deleteInstance: createOperationHandler('deleteInstance', taskQueue),
  });
}
