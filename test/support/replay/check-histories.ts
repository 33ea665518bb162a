import type { Client } from '@temporalio/client';

import { expectSchemas } from '../contract/expect-schemas.js';
import { replayAll } from './replay-all.js';

/** Every history must replay, and what it was given and has answered must fit the JSON Schemas. */
export async function checkHistories(
  client: Client,
  workflowIds: readonly string[],
  workflowBundle: Parameters<typeof replayAll>[2],
): Promise<void> {
  await replayAll(client, workflowIds, workflowBundle);
  await expectSchemas(client, workflowIds);
}
