import type { EarlierRuns } from '../contract/prepared/import-videos.js';
import type { CutShortDeps } from './cut-short.js';
import { answerInTime, quote } from './cut-short.js';

/** Enough for any request id. */
const MAX_RUNS = 100;

/** Name of the memo in which a run keeps the digest of its list. */
const MEMO = 'listDigest';

/**
 * When the first ended run of this Workflow Id began, and the digests of the lists that these runs
 * imported. `since` is missing when the Temporal server knows no such run. While visibility is away, the
 * digests are `unknown`: the import begins all the same, and takes no video for its own that may be of
 * another list.
 */
export function createEarlierRuns(deps: CutShortDeps) {
  return async (workflowId: string): Promise<EarlierRuns> =>
    (await answerInTime((deadline) => listEarlier(deps, workflowId, deadline))) ?? {
      digests: 'unknown',
    };
}

async function listEarlier(
  { connection, namespace }: CutShortDeps,
  workflowId: string,
  deadline: number,
): Promise<EarlierRuns> {
  const request = {
    namespace,
    query: `WorkflowId = ${quote(workflowId)} AND ExecutionStatus != 'Running'`,
    pageSize: MAX_RUNS,
  };
  const { executions } = await connection.withDeadline(deadline, () =>
    connection.workflowService.listWorkflowExecutions(request),
  );
  const starts = executions.flatMap(({ startTime }) =>
    startTime ? [Number(startTime.seconds) * 1_000] : [],
  );
  const digests = executions.flatMap(({ memo }) => {
    const data = memo?.fields?.[MEMO]?.data;
    return data ? [String(JSON.parse(Buffer.from(data).toString('utf8')))] : [];
  });
  const since = starts.length === 0 ? {} : { since: Math.min(...starts) };
  return { ...since, digests: [...new Set(digests)] };
}
