import type { temporal } from '@temporalio/proto';

import { HistoryEventFilterType } from '../base/proto.js';
import type { HistoryEvent } from '../base/proto.js';
import { invalidArgument } from '../base/grpc-error.js';
import type { CallContext, Handlers } from '../base/requests.js';
import { toLong } from '../base/values.js';
import { findExecution } from '../executions/find.js';
import { nextEventId } from '../history/record.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning, scheduledEvent, startedEvent } from '../workflow-tasks/schedule.js';
import { waitFor } from './wait.js';

type Request = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryRequest;
type Reverse = temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryReverseRequest;

const DEFAULT_PAGE = 256;

interface PageToken {
  runId: string;
  /** Events that the client has. */
  seen: number;
}

export function historyHandlers(server: Server): Handlers {
  return {
    GetWorkflowExecutionHistory: (request: Request, call) => getHistory(server, request, call),
    GetWorkflowExecutionHistoryReverse: (request: Reverse) => getReverse(server, request),
  };
}

function writeToken(token: PageToken): Uint8Array {
  return Buffer.from(JSON.stringify(token));
}

function readToken(bytes: Uint8Array | null | undefined): PageToken | undefined {
  if (!bytes || bytes.length === 0) return undefined;
  const token: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (!isPageToken(token)) throw invalidArgument('Invalid NextPageToken.');
  return token;
}

function isPageToken(value: unknown): value is PageToken {
  return typeof value === 'object' && value !== null && 'runId' in value && 'seen' in value;
}

function executionOf(server: Server, request: Request | Reverse, token: PageToken | undefined) {
  const workflowId = request.execution?.workflowId ?? '';
  const runId = token?.runId ?? request.execution?.runId ?? '';
  return findExecution(server, { workflowId, runId });
}

async function getHistory(server: Server, request: Request, call: CallContext): Promise<object> {
  const token = readToken(request.nextPageToken);
  const execution = executionOf(server, request, token);
  const onlyClose =
    request.historyEventFilterType === HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
  const seen = token?.seen ?? 0;
  if (request.waitNewEvent === true) {
    await waitFor(server, {
      check: () => (hasNews(execution, seen, onlyClose) ? true : undefined),
      watch: (wake) => execution.watchers.add(wake),
      unwatch: (wake) => execution.watchers.delete(wake),
      ms: server.limits.longPollMs,
      signal: call.signal,
    });
  }
  if (onlyClose) return closeEvent(execution, request.waitNewEvent === true);
  return page(execution, { request, seen });
}

function hasNews(execution: Execution, seen: number, onlyClose: boolean): boolean {
  if (!isRunning(execution)) return true;
  return !onlyClose && execution.history.length > seen;
}

/** The last event of a closed run, nothing of an open one that is waited for. */
function closeEvent(execution: Execution, waits: boolean): object {
  const isOpen = isRunning(execution);
  const events = isOpen && waits ? [] : execution.history.slice(-1);
  const more = isOpen && waits ? writeToken({ runId: execution.runId, seen: 0 }) : new Uint8Array();
  return { history: { events }, nextPageToken: more };
}

function page(execution: Execution, { request, seen }: { request: Request; seen: number }): object {
  const size = request.maximumPageSize || DEFAULT_PAGE;
  const events: HistoryEvent[] = execution.history.slice(seen, seen + size);
  const now = seen + events.length;
  if (now === execution.history.length && request.waitNewEvent !== true) {
    events.push(...unwrittenTask(execution));
  }
  const hasMore =
    now < execution.history.length || (request.waitNewEvent === true && isRunning(execution));
  return {
    history: { events },
    nextPageToken: hasMore ? writeToken({ runId: execution.runId, seen: now }) : new Uint8Array(),
  };
}

/** A task that is tried again has no events until it is completed, but clients see them. */
function unwrittenTask(execution: Execution): HistoryEvent[] {
  const { workflowTask: task } = execution;
  if (task === undefined || task.scheduledEventId < nextEventId(execution)) return [];
  const { scheduledEventId, startedEventId } = task;
  const scheduled = { eventId: toLong(scheduledEventId), ...scheduledEvent(execution, task) };
  if (startedEventId === undefined) return [scheduled];
  return [scheduled, { eventId: toLong(startedEventId), ...startedEvent(task) }];
}

function getReverse(server: Server, request: Reverse): object {
  const token = readToken(request.nextPageToken);
  const execution = executionOf(server, request, token);
  const size = request.maximumPageSize || DEFAULT_PAGE;
  const end = execution.history.length - (token?.seen ?? 0);
  const from = Math.max(0, end - size);
  const seen = execution.history.length - from;
  return {
    history: { events: execution.history.slice(from, end).reverse() },
    nextPageToken: from > 0 ? writeToken({ runId: execution.runId, seen }) : new Uint8Array(),
  };
}
