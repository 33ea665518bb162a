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

/**
 * What operators have made of a run by resets since, the oldest first: each run names the one that it was last reset to. Ends with
 * the one that goes on now.
 */
export async function runsAfterResets(
  { workflow }: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const runs: WorkflowExecutionDescription[] = [];
  let run = await workflow.getHandle(workflowId, runId).describe().catch(orNone);
  while (run !== undefined && runs.length < most) {
    const resetTo = run.raw.workflowExtendedInfo?.resetRunId;
    if (!resetTo) break;
    run = await workflow.getHandle(workflowId, resetTo).describe().catch(orNone);
    if (run !== undefined) runs.push(run);
  }
  return runs;
}

function orNone(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
