import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

import { RAN_BEFORE_MEMO } from '../engine/core/identity.js';

interface Named {
  workflowId: string;
  runId: string;
}

/**
 * The run that is named and those before it, the newest first: each names the one before itself, and no list has to show them
 * yet. With all that resets have made of each, which may be the one that goes on. Ends where a history is gone, or where a client has
 * started a run that names none.
 */
export async function runsBefore(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string | undefined },
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const runs: WorkflowExecutionDescription[] = [];
  let before: unknown = runId;
  while (typeof before === 'string' && runs.length < most) {
    const tries = await withResets(client, { workflowId, runId: before }, most);
    runs.push(...tries);
    before = tries.at(-1)?.memo?.[RAN_BEFORE_MEMO];
  }
  return runs;
}

/** Not the one that goes on. */
export function hasEnded({ closeTime }: WorkflowExecutionDescription): boolean {
  return closeTime !== undefined;
}

/**
 * The run that is named with all that resets have made of it, the newest first: each run names the one that it was last reset to, and
 * that one the first of them.
 */
export async function withResets(
  client: Client,
  named: Named,
  most: number,
): Promise<WorkflowExecutionDescription[]> {
  const run = await describe(client, named);
  if (run === undefined) return [];
  const { workflowId } = named;
  const runs = new Map([[run.runId, run]]);
  let next: string | null | undefined = run.raw.workflowExecutionInfo?.firstRunId || run.runId;
  for (let count = 0; next && count < most; count++) {
    const one: WorkflowExecutionDescription | undefined =
      runs.get(next) ?? (await describe(client, { workflowId, runId: next }));
    if (one !== undefined) runs.set(next, one);
    next = one?.raw.workflowExtendedInfo?.resetRunId;
  }
  return [...runs.values()].sort((one, other) => Number(other.startTime) - Number(one.startTime));
}

async function describe(
  { workflow }: Client,
  { workflowId, runId }: Named,
): Promise<WorkflowExecutionDescription | undefined> {
  return workflow.getHandle(workflowId, runId).describe().catch(orNone);
}

function orNone(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
