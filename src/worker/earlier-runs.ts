import { defaultPayloadConverter } from '@temporalio/common';
import type proto from '@temporalio/proto';

import type { Codec } from '../codec/codec.js';
import type { EarlierRuns } from '../contract/wire/prepared.js';
import { HAS_ENDED, quoteValue } from '../engine/core/text.js';
import { type CutShortDeps, answerInTime } from './cut-short.js';
import type { RunsBefore } from './runs-before.js';

/** Of one answer of the server. There are more where a script repeats for days what is refused each time. */
const PAGE_SIZE = 100;

interface EarlierRunsDeps extends CutShortDeps {
  codec: Codec;
  /** That one and those that it leads to: a list may show one of them, and not yet one that has ended before it. */
  runsBefore: RunsBefore;
}

/** Name of the memo in which a run keeps the digest of its list. */
const MEMO = 'listDigest';

/**
 * When the first ended run of this Workflow Id began, and the digests of the lists that these runs
 * imported. `since` is missing when the Temporal server knows no such run. While visibility is away, the
 * digests are `unknown`: the import begins all the same, and takes no video for its own that may be of
 * another list. So it does where no list shows the run before although the server knows it, unless this run is that one, reset.
 */
export function createEarlierRuns(deps: EarlierRunsDeps) {
  return async (
    workflowId: string,
    ranBefore?: string,
    { wasReset } = { wasReset: false },
  ): Promise<EarlierRuns> => {
    const listed = await answerInTime(async (deadline) => {
      const [{ runIds, ...earlier }, named] = await Promise.all([
        listEarlier(deps, workflowId, deadline),
        deps.runsBefore({ workflowId, runId: ranBefore }, deadline),
      ]);
      // Its history may be deleted, or old: then no list will ever show it.
      const isKnown = named.some(({ runId }) => runId === ranBefore);
      const isListed = wasReset || ranBefore === undefined || runIds.has(ranBefore);
      if (!isListed && isKnown) throw new Error('the list is late');
      return withNamed(earlier, named);
    });
    return listed ?? { digests: 'unknown' };
  };
}

function withNamed(
  { since, digests }: ListedRuns,
  named: Awaited<ReturnType<RunsBefore>>,
): EarlierRuns {
  const ended = named.filter(({ closeTime }) => closeTime !== undefined);
  const starts = [since, ...ended.map(({ startTime }) => startTime.getTime())];
  const known = starts.filter((time) => time !== undefined);
  const told = ended.flatMap(({ memo }) => memo?.[MEMO] ?? []).map(String);
  return {
    ...(known.length > 0 && { since: Math.min(...known) }),
    digests: [...new Set([...digests, ...told])],
  };
}

interface ListedRuns {
  since?: number;
  digests: string[];
}

async function listEarlier(
  { connection, namespace, codec }: EarlierRunsDeps,
  workflowId: string,
  deadline: number,
): Promise<ListedRuns & { runIds: ReadonlySet<unknown> }> {
  const query = `WorkflowId = ${quoteValue(workflowId)} AND ${HAS_ENDED}`;
  const executions: proto.temporal.api.workflow.v1.IWorkflowExecutionInfo[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, query, pageSize: PAGE_SIZE, nextPageToken };
    const page = await connection.withDeadline(deadline, () =>
      connection.workflowService.listWorkflowExecutions(request),
    );
    executions.push(...page.executions);
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
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
