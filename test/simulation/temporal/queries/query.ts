import type { temporal } from '@temporalio/proto';

import {
  QueryRejectCondition,
  QueryResultType,
  TaskQueueKind,
  WorkflowExecutionStatus,
} from '../base/proto.js';
import {
  deadlineExceeded,
  failedPrecondition,
  notFound,
  queryFailed,
  workflowNotReady,
} from '../base/grpc-error.js';
import type { CallContext } from '../base/requests.js';
import { readToken, writeToken } from '../base/token.js';
import { toLong } from '../base/values.js';
import { findExecution } from '../executions/find.js';
import { hadWorkflowTask } from '../executions/create.js';
import { drawId } from '../model/ids.js';
import type { Execution, QueryOutcome } from '../model/execution.js';
import type { Poll, Queue } from '../model/queues.js';
import type { Server } from '../model/server.js';
import { addTask, isStickyAvailable, queueOf } from '../queues/matching.js';
import { isRunning } from '../workflow-tasks/schedule.js';

type Request = temporal.api.workflowservice.v1.IQueryWorkflowRequest;
type Completion = temporal.api.workflowservice.v1.IRespondQueryTaskCompletedRequest;

/** Workflow tasks that have failed so often mean that a query would fail as well. */
const FAILING_ATTEMPT = 3;
/** Nobody has asked the queue for so long: the worker is taken to be down. */
const NO_POLLER_MS = 20_000;
/** Such a query fails this much before its time is over. */
const NO_POLLER_BEFORE_MS = 2_000;

/** Queries that are with a worker, by their id. */
export type OpenQueries = Map<string, (outcome: QueryOutcome) => void>;

interface Asked {
  query: NonNullable<Request['query']>;
  endsAt: number;
  signal: AbortSignal | undefined;
}

/** Asks a run, through whatever worker has it or takes it. @throws GrpcError */
export async function queryWorkflow(
  server: Server,
  open: OpenQueries,
  { request, call }: { request: Request; call: CallContext },
): Promise<object> {
  const execution = findExecution(server, request.execution);
  const rejected = rejection(execution, request);
  if (rejected !== undefined) return rejected;
  checkReady(execution);
  const asked: Asked = {
    query: request.query ?? {},
    endsAt: server.clock.now() + server.limits.queryMs,
    signal: call.signal,
  };
  let outcome: QueryOutcome = { kind: 'unblocked' };
  if (!mayGoDirectly(execution)) outcome = await buffer(server, execution, asked);
  if (outcome.kind === 'unblocked') outcome = await askDirectly(server, open, { execution, asked });
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.kind === 'answered' ? outcome.result : {};
}

function rejection(execution: Execution, { queryRejectCondition }: Request): object | undefined {
  const { status } = execution;
  if (isRunning(execution)) return undefined;
  const isClean = status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
  const isRejected =
    queryRejectCondition === QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_OPEN ||
    (queryRejectCondition === QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY &&
      !isClean);
  return isRejected ? { queryRejected: { status } } : undefined;
}

function checkReady(execution: Execution): void {
  if (!hadWorkflowTask(execution) && isRunning(execution)) {
    throw workflowNotReady('Workflow task is not scheduled yet.');
  }
  if (execution.workflowTaskAttempt >= FAILING_ATTEMPT) {
    throw workflowNotReady('Unable to query workflow due to Workflow Task in failed state.');
  }
  if (!isRunning(execution) && !hasBeenStarted(execution)) {
    throw workflowNotReady('Workflow execution closed before WorkflowTaskStarted event');
  }
}

function hasBeenStarted(execution: Execution): boolean {
  return (
    execution.previousStartedEventId !== 0 || execution.workflowTask?.startedEventId !== undefined
  );
}

/** A query sees all that has happened before it: it waits for a pending workflow task. */
function mayGoDirectly(execution: Execution): boolean {
  if (!hasBeenStarted(execution)) return false;
  return !isRunning(execution) || execution.workflowTask === undefined;
}

function buffer(server: Server, execution: Execution, asked: Asked): Promise<QueryOutcome> {
  return new Promise((resolve) => {
    const id = drawId(server.draw);
    const settle = (outcome: QueryOutcome): void => {
      cancel();
      asked.signal?.removeEventListener('abort', stop);
      execution.queries.delete(id);
      resolve(outcome);
    };
    const stop = (): void => {
      settle({ kind: 'failed', error: deadlineExceeded() });
    };
    const cancel = server.clock.after(asked.endsAt - server.clock.now(), stop);
    asked.signal?.addEventListener('abort', stop, { once: true });
    execution.queries.set(id, { id, query: asked.query, settle });
  });
}

interface Direct {
  execution: Execution;
  asked: Asked;
}

/** First the worker that has the run cached, then any. */
async function askDirectly(
  server: Server,
  open: OpenQueries,
  { execution, asked }: Direct,
): Promise<QueryOutcome> {
  const { sticky } = execution;
  if (sticky !== undefined && isStickyAvailable(server, sticky.name)) {
    const until = Math.min(asked.endsAt, server.clock.now() + sticky.scheduleToStartMs);
    const outcome = await ask(server, open, {
      execution,
      asked: { ...asked, endsAt: until },
      queue: queueOf(server, 'workflow', sticky.name),
    });
    if (outcome.kind !== 'unblocked') return outcome;
    if (asked.signal?.aborted === true) return { kind: 'failed', error: deadlineExceeded() };
  }
  execution.sticky = isRunning(execution) ? undefined : execution.sticky;
  const queue = queueOf(server, 'workflow', execution.taskQueue);
  const outcome = await ask(server, open, { execution, asked, queue });
  return outcome.kind === 'unblocked' ? { kind: 'failed', error: late(server, queue) } : outcome;
}

function isAbandoned(server: Server, { lastPolledAt, polls }: Queue): boolean {
  if (polls.length > 0) return false;
  return lastPolledAt === undefined || server.clock.now() - lastPolledAt > NO_POLLER_MS;
}

function late(server: Server, queue: Queue): Error {
  if (!isAbandoned(server, queue)) return deadlineExceeded();
  return failedPrecondition('no poller seen for task queue recently, worker may be down');
}

/** Puts the query into a queue. `unblocked` where its time is over. */
function ask(
  server: Server,
  open: OpenQueries,
  { execution, asked, queue }: Direct & { queue: Queue },
): Promise<QueryOutcome> {
  return new Promise((resolve) => {
    const queryId = drawId(server.draw);
    let isOver = false;
    const settle = (outcome: QueryOutcome): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      asked.signal?.removeEventListener('abort', stop);
      open.delete(queryId);
      resolve(outcome);
    };
    const stop = (): void => {
      settle({ kind: 'unblocked' });
    };
    const wait = asked.endsAt - server.clock.now();
    const early = isAbandoned(server, queue) ? NO_POLLER_BEFORE_MS : 0;
    const cancel = server.clock.after(wait - early, stop);
    asked.signal?.addEventListener('abort', stop, { once: true });
    open.set(queryId, settle);
    addTask(server, queue, {
      priority: 0,
      start: (poll) =>
        isOver ? undefined : queryTask(execution, { queryId, query: asked.query, poll }),
    });
  });
}

function queryTask(
  execution: Execution,
  { queryId, query, poll }: { queryId: string; query: object; poll: Poll },
): object {
  const isSticky = execution.sticky?.name === poll.queue;
  return {
    taskToken: writeToken({
      workflowId: execution.workflowId,
      runId: execution.runId,
      queryId,
    }),
    workflowExecution: { workflowId: execution.workflowId, runId: execution.runId },
    workflowType: { name: execution.type },
    previousStartedEventId: toLong(execution.previousStartedEventId),
    startedEventId: toLong(0),
    attempt: 1,
    query,
    history: { events: isSticky ? [] : execution.history.slice() },
    workflowExecutionTaskQueue: {
      name: execution.taskQueue,
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
  };
}

/** Takes the answer of a worker to a query that was dispatched directly. @throws GrpcError */
export function respondQueryTaskCompleted(open: OpenQueries, request: Completion): object {
  const { queryId } = readToken(request.taskToken);
  const settle = open.get(queryId);
  if (settle === undefined) throw notFound('query task not found, or already expired');
  settle(
    request.completedType === QueryResultType.QUERY_RESULT_TYPE_ANSWERED
      ? { kind: 'answered', result: { queryResult: request.queryResult ?? null } }
      : { kind: 'failed', error: queryFailed(request.errorMessage ?? '') },
  );
  return {};
}
