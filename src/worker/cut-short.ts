import type { NativeConnection } from '@temporalio/worker';

import { shareQueries } from './share-queries.js';

export interface CutShortDeps {
  connection: Pick<NativeConnection, 'workflowService' | 'withDeadline'>;
  namespace: string;
}

/** Below the timeout of the activity, which is repeated. */
const ANSWER_WITHIN_MS = 4_000;

/**
 * When an earlier run of this Workflow Id was last terminated or timed out, in milliseconds since
 * the epoch. Such a run has cleaned up nothing: one of its calls may still be in flight.
 *
 * One query answers for many runs: a server allows ten visibility queries per second by default
 * (`frontend.namespaceRPS.visibility`), and a bulk job starts many more runs.
 */
export function createCutShort(
  deps: CutShortDeps,
): (workflowId: string) => Promise<number | undefined> {
  return shareQueries((workflowIds) => lastEnds(deps, workflowIds));
}

async function lastEnds(
  { connection, namespace }: CutShortDeps,
  workflowIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = workflowIds.map(quote).join(', ');
  const query = `WorkflowId IN (${ids}) AND ExecutionStatus IN ('Terminated', 'TimedOut')`;
  const ends = new Map<string, number>();
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, query, nextPageToken };
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.listWorkflowExecutions(request),
    );
    for (const { execution, closeTime } of page.executions) {
      if (!execution?.workflowId || !closeTime) continue;
      // Rounds up to the end of the second.
      const at = Number(closeTime.seconds) * 1_000 + 1_000;
      ends.set(execution.workflowId, Math.max(ends.get(execution.workflowId) ?? at, at));
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return ends;
}

export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
