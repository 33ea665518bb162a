import { defaultPayloadConverter } from '@temporalio/common';

import type { Codec } from '../codec/codec.js';
import type { EarlierRuns } from '../contract/wire/prepared.js';
import { HAS_ENDED, quoteValue } from '../engine/core/text.js';
import { type CutShortDeps, answerInTime } from './cut-short.js';
import { createEndedWithoutSuccess } from './ended-without-success.js';

/** Enough for any request id. */
const MAX_RUNS = 100;

interface EarlierRunsDeps extends CutShortDeps {
  codec: Codec;
}

/** Name of the memo in which a run keeps the digest of its list. */
const MEMO = 'listDigest';

/**
 * When the first ended run of this Workflow Id began, and the digests of the lists that these runs
 * imported. `since` is missing when the Temporal server knows no such run. While visibility is away, the
 * digests are `unknown`: the import begins all the same, and takes no video for its own that may be of
 * another list. So it does where no list shows the run before although the server knows it.
 */
export function createEarlierRuns(deps: EarlierRunsDeps) {
  const endedWithoutSuccess = createEndedWithoutSuccess(deps);
  return async (workflowId: string, ranBefore?: string): Promise<EarlierRuns> => {
    const isKnown = async (): Promise<boolean> =>
      ranBefore !== undefined &&
      (await endedWithoutSuccess({ workflowId, runId: ranBefore })) !== undefined;
    const listed = await answerInTime(async (deadline) => {
      const { runIds, ...earlier } = await listEarlier(deps, workflowId, deadline);
      // Its history may be deleted, or old: then no list will ever show it.
      const isListed = ranBefore === undefined || runIds.has(ranBefore);
      if (!isListed && (await isKnown())) throw new Error('the list is late');
      return earlier;
    });
    return listed ?? { digests: 'unknown' };
  };
}

async function listEarlier(
  { connection, namespace, codec }: EarlierRunsDeps,
  workflowId: string,
  deadline: number,
): Promise<EarlierRuns & { runIds: ReadonlySet<unknown> }> {
  const request = {
    namespace,
    query: `WorkflowId = ${quoteValue(workflowId)} AND ${HAS_ENDED}`,
    pageSize: MAX_RUNS,
  };
  const { executions } = await connection.withDeadline(deadline, () =>
    connection.workflowService.listWorkflowExecutions(request),
  );
  const starts = executions.flatMap(({ startTime }) =>
    startTime ? [Number(startTime.seconds) * 1_000] : [],
  );
  const encoded = executions.flatMap(({ memo }) => memo?.fields?.[MEMO] ?? []);
  const digests = (await codec.decode(encoded, { namespace, workflowId })).map((payload) =>
    String(defaultPayloadConverter.fromPayload<unknown>(payload)),
  );
  const since = starts.length === 0 ? {} : { since: Math.min(...starts) };
  const runIds = new Set(executions.map(({ execution }) => execution?.runId));
  return { ...since, digests: [...new Set(digests)], runIds };
}
