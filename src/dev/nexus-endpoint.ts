import { Connection } from '@temporalio/client';

import { pastProxies } from '../client/past-proxies.js';
import { WORKFLOW_TASK_QUEUE } from '../contract/wire/names.js';
import { NEXUS_ENDPOINT } from '../contract/nexus.js';
import type { TemporalConfig } from '../config/temporal-config.js';

const ALREADY_EXISTS = 6;

/**
 * Creates the endpoint through which workflows of other namespaces call the operations. A database file
 * of an earlier start has it already.
 */
export async function createNexusEndpoint({
  connectionOptions,
  namespace = 'default',
}: TemporalConfig): Promise<void> {
  const connection = await Connection.connect({
    ...connectionOptions,
    channelArgs: pastProxies(connectionOptions.address),
  });
  const target = { worker: { namespace, taskQueue: WORKFLOW_TASK_QUEUE } };
  try {
    await connection.operatorService.createNexusEndpoint({
      spec: { name: NEXUS_ENDPOINT, target },
    });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS;
    if (!exists) throw error;
  } finally {
    await connection.close();
  }
}
