import type {
  Client,
  WorkflowExecutionInfo,
  WorkflowExecutionStatusName,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { Operation, SearchAttribute } from '../contract/names.js';
import { Phase } from '../contract/status.js';

/** The phase of a run in a list. The last two are ends that a run itself cannot record. */
export type ListedPhase = Phase | 'terminated' | 'timed-out';

/** One line of `list`. */
export interface RunSummary {
  workflowId: string;
  operation: string;
  /** Temporal's name of the state: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT … */
  state: string;
  /** What the run is doing, in the words of the status document. */
  phase: ListedPhase;
  startedAt: Date;
  closedAt: Date | undefined;
}

/** Temporal's largest page. */
const MAX_PAGE = 1000;

/** The runs of this product, newest first, with one list call a page. */
export async function listRuns(client: Client, limit: number): Promise<RunSummary[]> {
  const types = Object.values(Operation).map((type) => `"${type}"`);
  const query = `WorkflowType IN (${types.join(', ')})`;
  const runs: RunSummary[] = [];
  const pageSize = Math.min(limit, MAX_PAGE);
  for await (const run of client.workflow.list({ query, pageSize })) {
    runs.push(toSummary(run));
    // One more run would cost another call.
    if (runs.length >= limit) break;
  }
  return runs;
}

function toSummary(run: WorkflowExecutionInfo): RunSummary {
  return {
    workflowId: run.workflowId,
    operation: run.type,
    state: run.status.name,
    phase: listedPhase(run),
    startedAt: run.startTime,
    closedAt: run.closeTime,
  };
}

const PHASE = defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD);

const PHASE_OF_STATE: Partial<Record<WorkflowExecutionStatusName, ListedPhase>> = {
  COMPLETED: Phase.succeeded,
  FAILED: Phase.failed,
  CANCELLED: Phase.cancelled,
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed-out',
};

/**
 * The phase as far as the server knows it, without a query to the run. An open run in a namespace
 * without the search attribute is `running`; so is a run that waits, as the attribute has it.
 */
function listedPhase(
  run: Pick<WorkflowExecutionInfo, 'status' | 'typedSearchAttributes'>,
): ListedPhase {
  const recorded = run.typedSearchAttributes.get(PHASE);
  const open = Object.values(Phase).find((phase) => phase === recorded) ?? Phase.running;
  return PHASE_OF_STATE[run.status.name] ?? open;
}
