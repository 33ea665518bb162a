import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

import { createGcoreWorkflows, type GcoreWorkflows } from './gcore-workflows.js';

export interface ConnectedGcoreWorkflows extends GcoreWorkflows {
  close(): Promise<void>;
}

/** gRPC's own back-off grows to minutes; a caller should notice within seconds that the server is back. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2000,
} as const;

/**
 * Connects by Temporal's own configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, TLS, API key,
 * `temporal.toml`), the same as the `temporal` CLI and the other SDKs.
 *
 * @example
 * const gcore = await connectGcoreWorkflows();
 * const { workflowId } = await gcore.start('provisionInstance', { requestId: 'order-4711', input });
 * const { instanceId } = await gcore.result('provisionInstance', workflowId);
 */
export async function connectGcoreWorkflows(
  config: ReturnType<typeof loadClientConnectConfig> = loadClientConnectConfig(),
): Promise<ConnectedGcoreWorkflows> {
  const connection = await Connection.connect({
    ...config.connectionOptions,
    channelArgs: RECONNECT,
  });
  const namespace = config.namespace ?? 'default';
  const client = new Client({ connection, namespace });
  return { ...createGcoreWorkflows({ client }), close: () => connection.close() };
}
