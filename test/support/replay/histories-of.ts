import { Client, Connection } from '@temporalio/client';

import type { FaultWorld } from '../worlds/fault-world.js';

/** The number of histories of a Workflow Id, and the length of the longest. */
export async function historiesOf({ address }: FaultWorld, workflowId: string) {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const lengths: number[] = [];
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    const { historyLength } = await client.workflow.getHandle(workflowId, run.runId).describe();
    lengths.push(historyLength);
  }
  await connection.close();
  return { longestHistory: Math.max(...lengths), histories: lengths.length };
}
