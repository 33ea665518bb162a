import type { temporal } from '@temporalio/proto';

import type { Status } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import { toDuration, toLong, toPayload, toTimestamp } from '../base/values.js';
import type { Server } from '../model/server.js';
import type { VisibleRun } from '../model/visibility.js';
import { matches } from './match.js';
import { checkCondition } from './check.js';
import { parseQuery, type ParsedQuery } from './parse.js';
import { typedAttributes } from './search-attributes.js';
import { attributeOf, statusName } from './store.js';

type ListRequest = temporal.api.workflowservice.v1.IListWorkflowExecutionsRequest;
type CountRequest = temporal.api.workflowservice.v1.ICountWorkflowExecutionsRequest;

const DEFAULT_PAGE = 1_000;

function queryOf(server: Server, text: string | null | undefined): ParsedQuery {
  const query = parseQuery(text ?? '');
  return { ...query, condition: checkCondition(server, query.condition) };
}

function found(server: Server, { condition }: ParsedQuery): VisibleRun[] {
  const runs: VisibleRun[] = [];
  for (const run of server.visibility.shown.values()) {
    if (matches(condition, (name) => attributeOf(server, run, name))) runs.push(run);
  }
  return runs;
}

/** Open runs first, then the last that has closed, then the last that has started. */
function isBefore(a: VisibleRun, b: VisibleRun): number {
  const closed = (run: VisibleRun): number => run.closedAt ?? Number.MAX_SAFE_INTEGER;
  return (
    closed(b) - closed(a) ||
    b.execution.startedAt - a.execution.startedAt ||
    (a.execution.runId < b.execution.runId ? -1 : 1)
  );
}

/** @throws GrpcError for a filter that the server refuses */
export function listExecutions(server: Server, request: ListRequest): object {
  const runs = found(server, queryOf(server, request.query)).sort(isBefore);
  const size = request.pageSize || DEFAULT_PAGE;
  const from = afterToken(runs, request.nextPageToken);
  const page = runs.slice(from, from + size);
  const last = page.at(-1);
  const isLast = from + size >= runs.length || last === undefined;
  return {
    executions: page.map((run) => infoOf(server, run)),
    nextPageToken: isLast ? new Uint8Array() : tokenOf(last),
  };
}

interface PageToken {
  closedAt: number | null;
  startedAt: number;
  runId: string;
}

/** The place of the last run that was listed: what comes or goes meanwhile shifts nothing. */
function tokenOf({ execution, closedAt }: VisibleRun): Uint8Array {
  const { startedAt, runId } = execution;
  const token: PageToken = { closedAt: closedAt ?? null, startedAt, runId };
  return Buffer.from(JSON.stringify(token));
}

function afterToken(runs: readonly VisibleRun[], bytes: Uint8Array | null | undefined): number {
  if (!bytes || bytes.length === 0) return 0;
  const token: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (!isPageToken(token)) throw invalidArgument('invalid page token');
  const place = (run: VisibleRun): number => {
    const closed = run.closedAt ?? Number.MAX_SAFE_INTEGER;
    const tokenClosed = token.closedAt ?? Number.MAX_SAFE_INTEGER;
    const { startedAt, runId } = run.execution;
    if (closed !== tokenClosed) return tokenClosed - closed;
    if (startedAt !== token.startedAt) return token.startedAt - startedAt;
    return runId === token.runId ? 0 : Number(runId > token.runId) - Number(runId < token.runId);
  };
  const at = runs.findIndex((run) => place(run) > 0);
  return at === -1 ? runs.length : at;
}

function isPageToken(value: unknown): value is PageToken {
  return typeof value === 'object' && value !== null && 'startedAt' in value && 'runId' in value;
}

export function countExecutions(server: Server, request: CountRequest): object {
  const query = queryOf(server, request.query);
  const runs = found(server, query);
  if (query.groupBy === undefined) return { count: toLong(runs.length), groups: [] };
  const counts = new Map<Status, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return {
    count: toLong(runs.length),
    groups: [...counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => ({
        groupValues: [toPayload(statusName(status), 'Keyword')],
        count: toLong(count),
      })),
  };
}

/** A run as lists show it. */
export function infoOf(server: Server, run: VisibleRun) {
  const { execution, status, closedAt } = run;
  const { workflowId, runId, parent } = execution;
  return {
    execution: { workflowId, runId },
    type: { name: execution.type },
    startTime: toTimestamp(execution.startedAt),
    executionTime: toTimestamp(execution.executionAt),
    status,
    memo: { fields: run.memo },
    searchAttributes: { indexedFields: typedAttributes(server, run.searchAttributes) },
    taskQueue: execution.taskQueue,
    rootExecution: execution.root,
    ...(parent !== undefined && {
      parentExecution: { workflowId: parent.workflowId, runId: parent.runId },
      parentNamespaceId: server.namespace.id,
    }),
    ...(closedAt !== undefined && {
      closeTime: toTimestamp(closedAt),
      historyLength: toLong(run.historyLength),
      historySizeBytes: toLong(run.historySizeBytes),
      stateTransitionCount: toLong(run.stateTransitions),
      executionDuration: toDuration(closedAt - execution.executionAt),
    }),
  };
}
