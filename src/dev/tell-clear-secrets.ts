import { Connection } from '@temporalio/client';

import { pastProxies } from '../client/past-proxies.js';
import type { TemporalConfig } from '../config/temporal-config.js';
import { CLEAR_SECRETS_DATA, type ClearSecrets } from '../contract/clear-secrets.js';

/** Tells all clients of a namespace whether they may send secrets in clear, also those of another terminal. */
export async function tellClearSecrets(
  { connectionOptions, namespace = 'default' }: TemporalConfig,
  clearSecrets: ClearSecrets,
): Promise<void> {
  const connection = await Connection.connect({
    ...connectionOptions,
    channelArgs: pastProxies(connectionOptions.address),
  });
  try {
    const updateInfo = { data: { [CLEAR_SECRETS_DATA]: clearSecrets } };
    await connection.workflowService.updateNamespace({ namespace, updateInfo });
  } finally {
    await connection.close();
  }
}
