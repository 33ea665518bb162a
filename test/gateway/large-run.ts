import { randomUUID } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';

/**
 * A run whose input has almost two megabytes. It has ended: nobody waits for a worker to say where it is.
 * @returns the path of its whole input in the pages
 */
export async function endedLargeRun(address: string): Promise<string> {
  const connection = await Connection.connect({ address });
  const workflowId = `modify-kv-store/default/${randomUUID()}`;
  const items = Array.from({ length: 19 }, (_, at) => ({
    key: `k${at}`,
    value: 'x'.repeat(100_000),
  }));
  const handle = await new Client({ connection }).workflow.start('modifyKvStore', {
    workflowId,
    taskQueue: `none-${workflowId}`,
    args: [{ storeId: 1, items }],
  });
  await handle.terminate();
  await connection.close();
  return `/runs/${encodeURIComponent(workflowId)}/input.json?whole=true`;
}
