import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import proto from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';

import type { EarlierEnd } from '../activities/index.js';
import { LEFT_MEMO } from '../engine/core/identity.js';
import { HOLD_TURN } from '../engine/core/names.js';
import { DecryptionError } from '../codec/decryption-error.js';
import { quoteValue } from '../engine/core/text.js';
import { shareQueries } from './share-queries.js';

const {
  WORKFLOW_EXECUTION_STATUS_FAILED,
  WORKFLOW_EXECUTION_STATUS_TERMINATED,
  WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
} = proto.temporal.api.enums.v1.WorkflowExecutionStatus;

type EndedRun = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

export interface CutShortDeps {
  connection: Pick<NativeConnection, 'workflowService' | 'withDeadline'>;
  namespace: string;
}

/** Below the timeout of the activity. */
const ANSWER_WITHIN_MS = 4_000;
const AGAIN_MS = 500;

/**
 * When an earlier run of this Workflow Id was last terminated or timed out, in milliseconds since
 * the epoch by the clock of the server; of a lock, also when it lost its run. Such a run has cleaned up nothing: one of its calls
 * may still be in flight. So it is asked when one last ended that has left something: that may not be listed yet.
 *
 * One query answers for many runs: a server allows ten visibility queries per second by default
 * (`frontend.namespaceRPS.visibility`), and a bulk job starts many more runs.
 *
 * While visibility is away, the end is `unknown`. The run then takes it that such a predecessor has ended just now: that
 * costs it the time in which a late call could arrive, and no decision waits for the end of the outage.
 */
export function createCutShort(deps: CutShortDeps): (workflowId: string) => Promise<EarlierEnd> {
  return shareQueries((workflowIds) =>
    endsOrUnknown(workflowIds, (deadline) => lastEnds(deps, workflowIds, deadline)),
  );
}

type KnownEnds = ReadonlyMap<string, NonNullable<EarlierEnd>>;

/**
 * The answer of `ask`, or `unknown` for every run when there is none in time.
 *
 * @param ask gets the time at which its answer would come too late.
 */
export async function endsOrUnknown(
  workflowIds: readonly string[],
  ask: (deadline: number) => Promise<KnownEnds>,
): Promise<KnownEnds> {
  const answer = await answerInTime(ask);
  return answer ?? new Map(workflowIds.map((workflowId) => [workflowId, 'unknown']));
}

/**
 * The answer of `ask`, or `undefined` when there is none within four seconds.
 *
 * @param ask gets the time at which its answer would come too late.
 */
export async function answerInTime<T>(
  ask: (deadline: number) => Promise<T>,
): Promise<T | undefined> {
  const endsAt = performance.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return undefined;
    try {
      return await ask(Date.now() + leftMs);
    } catch (error) {
      // No answer at all: the server has answered, and a worker with the key can read it.
      if (error instanceof DecryptionError) throw error;
      await delay(AGAIN_MS);
    }
  }
}

const WITHOUT_SUCCESS = "ExecutionStatus IN ('Terminated', 'TimedOut', 'Failed', 'Canceled')";

/** Whether more of what an ended run has sent may show later. A lock whose run was cut short fails. */
function mayShowMore({ status, type, memo }: EndedRun): boolean {
  if (status === WORKFLOW_EXECUTION_STATUS_TERMINATED) return true;
  if (status === WORKFLOW_EXECUTION_STATUS_TIMED_OUT) return true;
  if (type?.name === HOLD_TURN) return status === WORKFLOW_EXECUTION_STATUS_FAILED;
  return memo?.fields?.[LEFT_MEMO] !== undefined;
}

async function lastEnds(
  { connection, namespace }: CutShortDeps,
  workflowIds: readonly string[],
  deadline: number,
): Promise<Map<string, number>> {
  const ids = workflowIds.map(quoteValue).join(', ');
  const query = `WorkflowId IN (${ids}) AND ${WITHOUT_SUCCESS}`;
  const ends = new Map<string, number>();
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const request = { namespace, query, nextPageToken };
    const page = await connection.withDeadline(deadline, () =>
      connection.workflowService.listWorkflowExecutions(request),
    );
    for (const run of page.executions) {
      const { execution, closeTime } = run;
      if (!execution?.workflowId || !closeTime || !mayShowMore(run)) continue;
      // Rounds up to the end of the second.
      const at = Number(closeTime.seconds) * 1_000 + 1_000;
      ends.set(execution.workflowId, Math.max(ends.get(execution.workflowId) ?? at, at));
    }
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return ends;
}
