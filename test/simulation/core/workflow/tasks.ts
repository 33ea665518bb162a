import proto from '@temporalio/proto';
import type { coresdk, temporal } from '@temporalio/proto';

import type { WorkerCalls } from '../client/worker-calls.js';
import { CallError, UNKNOWN } from '../client/call-error.js';
import type { Activation, WorkflowTask } from '../messages.js';
import { readMessage, type IncomingMessage } from '../machines/update.js';
import type { Permit } from '../worker/slots.js';
import { HistoryPaginator } from './history-paginator.js';
import type { HistoryUpdate } from './history-update.js';

const { EvictionReason } = proto.coresdk.workflow_activation.RemoveFromCache;

export type EvictionReason = coresdk.workflow_activation.RemoveFromCache.EvictionReason;
export { EvictionReason as EvictionReasons };

export type QueryJob = coresdk.workflow_activation.IQueryWorkflow;

/** The id of a query that comes with a task of its own. */
export const LEGACY_QUERY_ID = 'legacy_query';

/** A workflow task of the server, with as much of the history as is needed to begin it. */
export interface PreparedTask {
  readonly task: WorkflowTask;
  readonly taskToken: Uint8Array;
  readonly attempt: number;
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
  readonly legacyQuery: QueryJob | undefined;
  readonly queries: QueryJob[];
  readonly messages: IncomingMessage[];
  readonly paginator: HistoryPaginator;
  readonly update: HistoryUpdate;
  /** The slot that the task holds until it is answered. */
  readonly permit: Permit;
}

/** Whether the server takes it that the run is cached here. */
export function isIncremental({ update }: PreparedTask): boolean {
  const first = update.firstEventId();
  return first === undefined || first > 1;
}

function isQueryOnly({ update, legacyQuery }: PreparedTask): boolean {
  return update.place.startedId === 0 && legacyQuery !== undefined;
}

function toQuery(queryId: string, query: temporal.api.query.v1.IWorkflowQuery): QueryJob {
  return {
    queryId,
    queryType: query.queryType ?? '',
    arguments: query.queryArgs?.payloads ?? [],
    headers: query.header?.fields ?? {},
  };
}

/** @throws CallError where the history cannot be fetched, and MachineError for a message nobody understands */
export async function prepareTask(
  task: WorkflowTask,
  calls: WorkerCalls,
  permit: Permit,
): Promise<PreparedTask> {
  const paginator = new HistoryPaginator(task, calls);
  const isEmpty = (task.history?.events ?? []).length === 0;
  const hasQueries = Boolean(task.query) || Object.keys(task.queries ?? {}).length > 0;
  if (isEmpty && !hasQueries) {
    throw new CallError(UNKNOWN, 'Received an empty workflow task with no queries or history');
  }
  const update = isEmpty
    ? paginator.emptyUpdate()
    : paginator.isBuffered
      ? paginator.extractBuffered()
      : await paginator.extract();
  return describeTask(task, { paginator, update, permit });
}

function describeTask(
  task: WorkflowTask,
  rest: Pick<PreparedTask, 'paginator' | 'update' | 'permit'>,
): PreparedTask {
  return {
    task,
    taskToken: task.taskToken ?? new Uint8Array(),
    attempt: task.attempt ?? 0,
    workflowId: task.workflowExecution?.workflowId ?? '',
    runId: task.workflowExecution?.runId ?? '',
    workflowType: task.workflowType?.name ?? '',
    legacyQuery: task.query ? toQuery(LEGACY_QUERY_ID, task.query) : undefined,
    queries: Object.entries(task.queries ?? {}).map(([id, query]) => toQuery(id, query)),
    messages: (task.messages ?? []).map(readMessage),
    ...rest,
  };
}

/** The same task with the history from its start, for a run that is not cached. */
export async function refetchTask(
  prepared: PreparedTask,
  calls: WorkerCalls,
): Promise<PreparedTask> {
  const paginator = new HistoryPaginator(prepared.task, calls, prepared.paginator);
  return { ...prepared, paginator, update: await paginator.extract() };
}

/** Whether a poll ended without a task. */
export function isEmptyTask(task: WorkflowTask): boolean {
  return (task.taskToken ?? new Uint8Array()).length === 0;
}

export function evictActivation(
  runId: string,
  message: string,
  reason: EvictionReason,
): Activation {
  return { runId, jobs: [{ removeFromCache: { message, reason } }] };
}

/** Tasks for a run that is busy. A newer workflow task takes the place of an older one; queries are kept. */
export class BufferedTasks {
  #task: PreparedTask | undefined;
  #queries: PreparedTask[] = [];
  #queriesOfTask: PreparedTask[] = [];

  add(task: PreparedTask): void {
    if (isQueryOnly(task)) {
      if (this.#task === undefined) this.#queries.push(task);
      else this.#queriesOfTask.push(task);
      return;
    }
    for (const dropped of [this.#task, ...this.#queriesOfTask]) dropped?.permit.release();
    this.#queriesOfTask = [];
    this.#task = task;
  }

  hasTasks(): boolean {
    return this.#task !== undefined || this.#queries.length > 0;
  }

  next(): PreparedTask | undefined {
    const query = this.#queries.shift();
    if (query !== undefined || this.#task === undefined) return query;
    const queryOfTask = this.#queriesOfTask.shift();
    if (queryOfTask !== undefined) return queryOfTask;
    const task = this.#task;
    this.#task = undefined;
    return task;
  }

  /** Gives back the slots of what nobody will handle. */
  drop(): void {
    for (const task of [this.#task, ...this.#queries, ...this.#queriesOfTask])
      task?.permit.release();
    this.#task = undefined;
    this.#queries = [];
    this.#queriesOfTask = [];
  }
}
