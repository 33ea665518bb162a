import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

import { RAN_BEFORE_MEMO } from '../engine/core/identity.js';

/**
 * The run that is named and those before it, the newest first: each names the one before itself, and no list has to show them
 * yet. Ends where a history is gone, or where a client has started a run that names none.
 */
export async function runsBefore(
  { workflow }: Client,
  { workflowId, runId }: { workflowId: string; runId: string | undefined },
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const runs: WorkflowExecutionDescription[] = [];
  let before: unknown = runId;
  while (typeof before === 'string' && runs.length < most) {
    const run = await workflow.getHandle(workflowId, before).describe().catch(orNone);
    if (run === undefined) break;
    runs.push(run);
    before = run.memo?.[RAN_BEFORE_MEMO];
  }
  return runs;
}

function orNone(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
