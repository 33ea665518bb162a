import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import { toRunError } from './to-run-error.js';

/** The newest run of this id. @throws RunNotFoundError */
export async function describeRun(
  client: Client,
  workflowId: string,
): Promise<WorkflowExecutionDescription> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    throw toRunError(workflowId, error);
  }
}
