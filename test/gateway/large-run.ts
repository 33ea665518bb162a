import { randomUUID } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';

/** Of almost two megabytes. */
const ITEMS = Array.from({ length: 19 }, (_, at) => ({
  key: `k${at}`,
  value: 'x'.repeat(100_000),
}));

interface LargeRuns {
  count: number;
  areEnded: boolean;
  namespace?: string;
}

/**
 * Runs with an input of almost two megabytes, which no worker takes. Where they have ended, nobody waits for a worker to say
 * where they are.
 * @returns their request ids
 */
export async function largeRuns(
  address: string,
  { count, areEnded, namespace = 'default' }: LargeRuns,
): Promise<string[]> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const requestIds = Array.from({ length: count }, () => randomUUID());
  // All at once would be as much in memory.
  for (const requestId of requestIds) {
    const handle = await client.workflow.start('modifyKvStore', {
      workflowId: workflowIdOf(requestId),
      taskQueue: `none-${requestId}`,
      args: [{ storeId: 1, items: ITEMS }],
    });
    if (areEnded) await handle.terminate();
  }
  await connection.close();
  return requestIds;
}

/** Path of the events of such a run. */
export function eventsOf(requestId: string): string {
  return `/v1/runs/${encodeURIComponent(workflowIdOf(requestId))}/events`;
}

function workflowIdOf(requestId: string): string {
  return `modify-kv-store/default/${requestId}`;
}

/** Path of the page of such a run. */
export function pageOf(requestId: string): string {
  return `/runs/${encodeURIComponent(workflowIdOf(requestId))}`;
}

/** Path of its whole input in the pages. */
export function wholeInputOf(requestId: string): string {
  return `${pageOf(requestId)}/input.json?whole=true`;
}
