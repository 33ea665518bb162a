import type {
  Client,
  WorkflowExecutionInfo,
  WorkflowExecutionStatusName,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { SearchAttribute } from '../contract/names.js';
import { Phase } from '../contract/status.js';
import { askWithFilter, isListed } from './ask-with-filter.js';
import type { ListedPhase, RunFilter } from './run-filter.js';
import { accountOfRun } from './unserved-account.js';

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
export const DEFAULT_LIMIT = 50;

/**
 * The runs of this product that fit, newest first, with one list call a page. The server may show a
 * change a moment later. @throws InvalidInputError
 */
export function listRuns(client: Client, filter: RunFilter): Promise<RunSummary[]> {
  return askWithFilter(filter, (query) => collect(client, filter, query));
}

async function collect(client: Client, filter: RunFilter, query: string): Promise<RunSummary[]> {
  const { limit = DEFAULT_LIMIT } = filter;
  const runs: RunSummary[] = [];
  const pageSize = Math.min(limit, MAX_PAGE);
  for await (const run of client.workflow.list({ query, pageSize })) {
    const summary = summaryOf(run);
    if (!isListed(filter, summary, accountOfRun(run))) continue;
    runs.push(summary);
    // One more run would cost another call.
    if (runs.length >= limit) break;
  }
  return runs;
}

/** What the server knows of a run without asking a worker. */
export function summaryOf(run: Omit<WorkflowExecutionInfo, 'raw'>): RunSummary {
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
export function listedPhase(
  run: Pick<WorkflowExecutionInfo, 'status' | 'typedSearchAttributes'>,
): ListedPhase {
  return phaseOf(run.status.name, run.typedSearchAttributes.get(PHASE));
}

/** `recorded` is the search attribute of the phase. */
export function phaseOf(state: WorkflowExecutionStatusName, recorded: unknown): ListedPhase {
  const open = Object.values(Phase).find((phase) => phase === recorded) ?? Phase.running;
  return PHASE_OF_STATE[state] ?? open;
}
