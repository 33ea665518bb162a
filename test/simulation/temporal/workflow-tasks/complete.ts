import type { temporal } from '@temporalio/proto';

import { EventType, QueryResultType, WorkflowTaskFailedCause } from '../base/proto.js';
import type { Command, Message } from '../base/proto.js';
import { invalidArgument, notFound, queryFailed } from '../base/grpc-error.js';
import { readToken, type TaskToken } from '../base/token.js';
import { pick } from '../base/pick.js';
import { toLong, toMs, toNumber } from '../base/values.js';
import { checkSequence, findWrong, type WrongCommands } from '../commands/check.js';
import type { CommandContext } from '../commands/context.js';
import { runCommands } from '../commands/run.js';
import { unblockQueries } from '../executions/close.js';
import { nextEventId, record } from '../history/record.js';
import { commit } from './commit.js';
import type { Execution, WorkflowTask } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { hasOutgoing, rejectUnprocessed, typeOf } from '../updates/registry.js';
import { noteBuild } from './build-ids.js';
import { recordTaskFailed } from './fail.js';
import { workflowTaskAnswer } from './poll-answer.js';
import {
  addWorkflowTask,
  dropWorkflowTask,
  isRunning,
  isTransient,
  recordScheduled,
  recordStarted,
  recordTimedOut,
  failAttempt,
} from './schedule.js';
import { dispatchWorkflowTask, scheduleWorkflowTask, startWorkflowTask } from './start.js';

type Request = temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest;

/** A worker that only says that it still works may do so for this long. */
const HEARTBEATS_MS = 30 * 60_000;
const FROM_COMPLETION = 'request-from-RespondWorkflowTaskCompleted';

/** The started workflow task of a token. @throws GrpcError where another attempt has taken its place. */
export function taskOfToken(
  server: Server,
  token: TaskToken,
): { execution: Execution; task: WorkflowTask } {
  const execution = server.executions.byRun.get(token.runId);
  const task = execution?.workflowTask;
  if (execution === undefined || !isRunning(execution) || !isSameTask(task, token)) {
    throw notFound('Workflow task not found.');
  }
  return { execution, task };
}

function isSameTask(task: WorkflowTask | undefined, token: TaskToken): task is WorkflowTask {
  return (
    task?.startedEventId === token.startedEventId &&
    task.scheduledEventId === token.scheduledEventId &&
    task.attempt === token.attempt &&
    task.startedAt === token.startedAt
  );
}

/** @throws GrpcError for an attempt that is over, and for commands that the server does not take */
export function respondWorkflowTaskCompleted(server: Server, request: Request): object {
  const { execution, task } = taskOfToken(server, readToken(request.taskToken));
  const said: Said = { commands: request.commands ?? [], messages: request.messages ?? [] };
  checkSequence(said.commands);
  const isHeartbeat = isOnlyHeartbeat(request, said);
  if (isHeartbeat && server.clock.now() > task.originalScheduledAt + HEARTBEATS_MS) {
    throw heartbeatTimeout(server, execution, task);
  }
  const wrong = findWrong(server, execution, said);
  if (wrong !== undefined) throw refuse(server, execution, { task, wrong, request });
  const completed = recordCompleted(server, execution, { task, request });
  execution.sticky = stickyOf(request);
  const needsTask = carryOut(server, execution, { request, completed, said });
  return finish(server, execution, {
    request,
    completed,
    needsTask,
    ...(isHeartbeat && { originalScheduledAt: task.originalScheduledAt }),
  });
}

interface Said {
  commands: readonly Command[];
  messages: readonly Message[];
}

/** Whether the worker says no more than that it needs more time. */
function isOnlyHeartbeat(request: Request, { commands, messages }: Said): boolean {
  const isAlone = commands.length === 0 && messages.length === 0;
  return request.forceCreateNewWorkflowTask === true && isAlone;
}

/** Carries out what the worker says. True where another workflow task must follow. */
function carryOut(
  server: Server,
  execution: Execution,
  { request, completed, said }: { request: Request; completed: number | undefined; said: Said },
): boolean {
  const hadNews = execution.buffered.length > 0;
  const context: CommandContext = {
    server,
    execution,
    identity: request.identity ?? '',
    completedEventId: completed ?? 0,
    messages: new Map(said.messages.map((message) => [message.id ?? '', message])),
    needsWorkflowTask: false,
  };
  runCommands(context, said.commands);
  const forces = request.forceCreateNewWorkflowTask === true;
  if (!forces && isRunning(execution)) rejectUnprocessed(execution);
  return forces || context.needsWorkflowTask || (hadNews && execution.buffered.length > 0);
}

function stickyOf({ stickyAttributes }: Request) {
  const name = stickyAttributes?.workerTaskQueue?.name ?? '';
  if (name === '') return undefined;
  return { name, scheduleToStartMs: toMs(stickyAttributes?.scheduleToStartTimeout) };
}

function heartbeatTimeout(server: Server, execution: Execution, task: WorkflowTask) {
  recordTimedOut(server, execution, task);
  execution.sticky = undefined;
  failAttempt(execution, true);
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
  return notFound('workflow task heartbeat timeout');
}

/** Fails the workflow task instead. A repeated attempt is left to time out, which slows it down. */
function refuse(
  server: Server,
  execution: Execution,
  { task, wrong, request }: { task: WorkflowTask; wrong: WrongCommands; request: Request },
) {
  const error = invalidArgument(wrong.message);
  const { cause, message } = wrong;
  const isUnhandled =
    cause === WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;
  if (task.attempt > 1 && !isUnhandled) return error;
  recordTaskFailed(server, execution, {
    task,
    cause,
    failure: { message, serverFailureInfo: { nonRetryable: false } },
    identity: request.identity ?? '',
  });
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
  return error;
}

/**
 * Writes that the workflow task is completed, and returns the id of the event. Undefined for a
 * speculative one that has changed nothing: it leaves no trace.
 */
function recordCompleted(
  server: Server,
  execution: Execution,
  { task, request }: { task: WorkflowTask; request: Request },
): number | undefined {
  const isUnwritten = isTransient(execution) || task.kind === 'speculative';
  dropWorkflowTask(execution);
  execution.workflowTaskAttempt = 1;
  if (task.kind === 'speculative' && leavesNoTrace(execution, request)) return undefined;
  if (isUnwritten) {
    task.identity = request.identity ?? '';
    recordScheduled(server, execution, task);
    recordStarted(server, execution, task);
  }
  const event = record(server, execution, {
    eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
    workflowTaskCompletedEventAttributes: {
      scheduledEventId: toLong(task.scheduledEventId),
      startedEventId: toLong(task.startedEventId ?? 0),
      workerVersion: request.workerVersionStamp ?? null,
      ...pick(request, ['identity', 'binaryChecksum', 'sdkMetadata', 'meteringMetadata']),
    },
  });
  execution.previousStartedEventId = task.startedEventId ?? 0;
  execution.autoResetPoint ??= {
    eventId: toNumber(event.eventId),
    createdAt: server.clock.now(),
    buildId: request.workerVersionStamp?.buildId ?? '',
  };
  noteBuild(execution, request.workerVersionStamp);
  return toNumber(event.eventId);
}

/** Nothing but rejected updates, and nothing has happened since the last workflow task. */
function leavesNoTrace(execution: Execution, request: Request): boolean {
  return (
    (request.commands ?? []).length === 0 &&
    request.forceCreateNewWorkflowTask !== true &&
    nextEventId(execution) === execution.previousStartedEventId + 2 &&
    (request.messages ?? []).every(isRejection)
  );
}

function isRejection({ body }: Message): boolean {
  return typeOf(body?.type_url) === 'temporal.api.update.v1.Rejection';
}

interface Finish {
  request: Request;
  completed: number | undefined;
  needsTask: boolean;
  originalScheduledAt?: number;
}

function finish(server: Server, execution: Execution, how: Finish): object {
  const { request, completed } = how;
  if (!isRunning(execution)) {
    // What nobody will be shown any more is dropped.
    execution.buffered = [];
    commit(server, execution);
    answerQueries(execution, request);
    unblockQueries(execution);
    return {};
  }
  const hasNew = planNext(server, execution, how);
  answerQueries(execution, request);
  if (!hasNew) unblockQueries(execution);
  const returnsNew = hasNew && request.returnNewWorkflowTask === true;
  const isUnwritten = execution.workflowTask?.kind === 'speculative' && returnsNew;
  const answer = {
    ...(returnsNew && { workflowTask: newTask(execution, request) }),
    resetHistoryEventId: toLong(completed === undefined ? execution.previousStartedEventId : 0),
  };
  if (!isUnwritten && (completed !== undefined || hasNew)) commit(server, execution);
  return answer;
}

/** Creates the workflow task that follows at once, where one does. */
function planNext(server: Server, execution: Execution, how: Finish): boolean {
  if (!how.needsTask && !hasOutgoing(execution)) return false;
  const returnsNew = how.request.returnNewWorkflowTask === true;
  const isSpeculative = !how.needsTask && returnsNew;
  // What is kept cannot be speculative: the next task is created after this one is written.
  if (isSpeculative && how.completed !== undefined) commit(server, execution);
  addNext(server, execution, { ...how, isSpeculative, returnsNew });
  return true;
}

function addNext(
  server: Server,
  execution: Execution,
  next: Finish & { isSpeculative: boolean; returnsNew: boolean },
): void {
  const { originalScheduledAt } = next;
  addWorkflowTask(server, execution, {
    kind: next.isSpeculative ? 'speculative' : 'normal',
    ...(originalScheduledAt !== undefined && { originalScheduledAt }),
  });
  if (!next.returnsNew) {
    dispatchWorkflowTask(server, execution);
    return;
  }
  const identity = next.request.identity ?? '';
  startWorkflowTask(server, execution, { requestId: FROM_COMPLETION, identity });
}

function newTask(execution: Execution, request: Request): object | null {
  const task = execution.workflowTask;
  if (task === undefined) return null;
  return workflowTaskAnswer(execution, task, {
    isSticky: true,
    isHeartbeat: request.forceCreateNewWorkflowTask === true,
  });
}

/** Hands the answers to the queries that came with the workflow task. */
function answerQueries(execution: Execution, { queryResults }: Request): void {
  for (const [id, result] of Object.entries(queryResults ?? {})) {
    const query = execution.queries.get(id);
    if (query === undefined) continue;
    execution.queries.delete(id);
    query.settle(
      result.resultType === QueryResultType.QUERY_RESULT_TYPE_ANSWERED
        ? { kind: 'answered', result: { queryResult: result.answer ?? null } }
        : { kind: 'failed', error: queryFailed(result.errorMessage ?? '') },
    );
  }
}
