import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import { RetryRefusedError } from './errors.js';
import { earlierInputs } from './intent.js';

/**
 * The input that the run worked on at its end: a corrected one counts. A long run begins each history with
 * the input of that time.
 */
export async function lastInput(
  client: Client,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<unknown> {
  const inputs = await earlierInputs(client, { workflowId, runId });
  if (inputs.length === 0) throw new RetryRefusedError(workflowId, 'forgotten');
  return inputs.at(-1);
}
