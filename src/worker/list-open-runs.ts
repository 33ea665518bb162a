import type { CutShortDeps } from './cut-short.js';

export interface OpenRun {
  workflowId: string;
  runId: string;
}

const PAGE = 500;

/** The runs that visibility shows for a query, page by page. @param limit at least so many, if there are */
export async function listOpenRuns(
  { connection, namespace }: CutShortDeps,
  query: string,
  limit = Infinity,
): Promise<OpenRun[]> {
  const runs: OpenRun[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, query, nextPageToken, pageSize: Math.min(limit, PAGE) };
    const page = await connection.workflowService.listWorkflowExecutions(request);
    for (const { execution } of page.executions) {
      const { workflowId, runId } = execution ?? {};
      if (workflowId && runId) runs.push({ workflowId, runId });
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0 && runs.length < limit);
  return runs;
}
