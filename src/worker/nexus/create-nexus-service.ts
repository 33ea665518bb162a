import type { NativeConnection } from '@temporalio/worker';
import { serviceHandler, type ServiceHandler } from 'nexus-rpc';

import { Operation } from '../../contract/index.js';
import { gcoreWorkflowsService } from '../../contract/nexus.js';
import { createOperationHandler, type NexusStarts } from './operation-handler.js';

/** Whether the server has Nexus. A worker that polled for its tasks elsewhere would only be refused. */
export async function hasNexus({ workflowService }: NativeConnection): Promise<boolean> {
  const { capabilities } = await workflowService.getSystemInfo({});
  return capabilities?.nexus === true;
}

/** Serves the operations to workflows of other namespaces. */
export function createNexusService(starts: NexusStarts): ServiceHandler {
  return serviceHandler(gcoreWorkflowsService, handlers(starts));
}

type Handlers = { [O in Operation]: ReturnType<typeof createOperationHandler<O>> };

function handlers(starts: NexusStarts): Handlers;
function handlers(starts: NexusStarts): Record<string, object> {
  return Object.fromEntries(
    Object.values(Operation).map((operation) => [
      operation,
      createOperationHandler(operation, starts),
    ]),
  );
}
