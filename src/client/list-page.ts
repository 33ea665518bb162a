import type { Client, WorkflowExecutionStatusName } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';

import { SearchAttribute } from '../contract/names.js';
import { accountOf } from './account-of.js';
import { askWithFilter, isListed } from './ask-with-filter.js';
import { toMs } from './explain/timestamp.js';
import { DEFAULT_LIMIT, phaseOf, type RunSummary } from './list-runs.js';
import { createPageMark, type PageMark } from './page-mark.js';
import { toQuery, type RunFilter } from './run-filter.js';

/** Which runs a page shows. `limit` is the size of the page. */
export interface PageFilter extends RunFilter {
  /** `next` of the page before. */
  page?: string;
}

export interface RunPage {
  /** May be fewer than the limit, also before the last page. */
  runs: RunSummary[];
  /** Missing on the last page. */
  next?: string;
}

/** One page of runs, newest first, with one list call. @throws InvalidInputError */
export function listPage(client: Client, filter: PageFilter): Promise<RunPage> {
  return askWithFilter(filter, (query) => {
    const mark = createPageMark(`${client.options.namespace} ${toQuery(filter, true)}`);
    return ask(client, { filter, query, mark });
  });
}

interface Asking {
  filter: PageFilter;
  query: string;
  mark: PageMark;
}

async function ask(client: Client, { filter, query, mark }: Asking): Promise<RunPage> {
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query,
    pageSize: filter.limit ?? DEFAULT_LIMIT,
    nextPageToken: mark.open(filter.page),
  });
  const runs = executions.flatMap((run) => {
    const summary = toSummary(run);
    const account = attributeOf(run, SearchAttribute.account) ?? accountOf(summary.workflowId);
    return isListed(filter, summary, account) ? [summary] : [];
  });
  return { runs, ...(nextPageToken.length === 0 ? {} : { next: mark.seal(nextPageToken) }) };
}

type RawRun = proto.temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** The client of the SDK reads these too, but it gives no page. */
function toSummary(run: RawRun): RunSummary {
  const state = STATE_OF.get(run.status) ?? 'UNKNOWN';
  return {
    workflowId: run.execution?.workflowId ?? '',
    operation: run.type?.name ?? '',
    state,
    phase: phaseOf(state, attributeOf(run, SearchAttribute.phase)),
    startedAt: new Date(toMs(run.startTime)),
    closedAt: run.closeTime ? new Date(toMs(run.closeTime)) : undefined,
  };
}

function attributeOf(run: RawRun, name: string): string | undefined {
  const payload = run.searchAttributes?.indexedFields?.[name];
  const value: unknown = payload && defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? value : undefined;
}

const { WorkflowExecutionStatus } = proto.temporal.api.enums.v1;

const STATE_OF: ReadonlyMap<number | null | undefined, WorkflowExecutionStatusName> = new Map([
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING, 'RUNNING'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED, 'PAUSED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, 'COMPLETED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED, 'FAILED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, 'CANCELLED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, 'TERMINATED'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT, 'TIMED_OUT'],
  [WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW, 'CONTINUED_AS_NEW'],
]);
