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
  let last: { input: unknown } | undefined;
  for await (const input of earlierInputs(client, { workflowId, runId })) last = { input };
  if (last === undefined) throw new RetryRefusedError(workflowId, 'forgotten');
  return last.input;
}
