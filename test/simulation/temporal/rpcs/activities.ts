import { COMPLETED_EXECUTION, NO_ACTIVITY, invalidArgument, notFound } from '../base/grpc-error.js';
import type { Failure, Payloads } from '../base/proto.js';
import type { Handlers } from '../base/requests.js';
import { readToken } from '../base/token.js';
import { completeActivity, failActivity, recordActivityCanceled } from '../activities/finish.js';
import { findRunning } from '../executions/find.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { commit } from '../workflow-tasks/commit.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';

interface ByToken {
  taskToken?: Uint8Array | null;
  identity?: string | null;
}

interface ById {
  workflowId?: string | null;
  runId?: string | null;
  activityId?: string | null;
  identity?: string | null;
}

interface Found {
  execution: Execution;
  activity: Activity;
}

/** What workers say of activities, and clients that complete one for them. */
export function activityHandlers(server: Server): Handlers {
  const heartbeatOf = (find: () => Found, details: Payloads | null | undefined): object =>
    heartbeat(server, find(), details ?? null);
  return {
    RecordActivityTaskHeartbeat: (request: ByToken & { details?: Payloads | null }) =>
      heartbeatOf(() => byToken(server, request), request.details),
    RecordActivityTaskHeartbeatById: (request: ById & { details?: Payloads | null }) =>
      heartbeatOf(() => byId(server, request), request.details),
    RespondActivityTaskCompleted: (request: ByToken & { result?: Payloads | null }) =>
      complete(server, byToken(server, request), request),
    RespondActivityTaskCompletedById: (request: ById & { result?: Payloads | null }) =>
      complete(server, byId(server, request), request),
    RespondActivityTaskFailed: (request: ByToken & Failing) =>
      fail(server, byToken(server, request), request),
    RespondActivityTaskFailedById: (request: ById & Failing) =>
      fail(server, byId(server, request), request),
    RespondActivityTaskCanceled: (request: ByToken & { details?: Payloads | null }) =>
      cancel(server, byToken(server, request), request),
    RespondActivityTaskCanceledById: (request: ById & { details?: Payloads | null }) =>
      cancel(server, byId(server, request), request),
  };
}

interface Failing {
  failure?: Failure | null;
  lastHeartbeatDetails?: Payloads | null;
}

/** The attempt that a worker means. @throws GrpcError where it is over */
function byToken(server: Server, { taskToken }: ByToken): Found {
  const token = readToken(taskToken);
  const execution = server.executions.byRun.get(token.runId);
  if (execution === undefined) throw notFound(NO_ACTIVITY);
  if (!isRunning(execution)) throw notFound(COMPLETED_EXECUTION);
  const activity = execution.activities.get(token.scheduledEventId);
  const isCurrent =
    activity?.startedAt !== undefined &&
    activity.attempt === token.attempt &&
    activity.startedAt === token.startedAt;
  if (!isCurrent) throw notFound(NO_ACTIVITY);
  return { execution, activity };
}

/** The pending activity of this id. @throws GrpcError */
function findActivity(server: Server, request: ById): Found {
  const { workflowId, runId } = request;
  const execution = findRunning(server, { workflowId: workflowId ?? '', runId: runId ?? '' });
  const scheduledEventId = execution.activityIds.get(request.activityId ?? '');
  const activity = execution.activities.get(scheduledEventId ?? 0);
  if (activity === undefined) {
    throw notFound(
      `cannot find pending activity with ActivityID ${request.activityId ?? ''}, check workflow execution history for more details`,
    );
  }
  return { execution, activity };
}

function byId(server: Server, request: ById): Found {
  const found = findActivity(server, request);
  if (found.activity.startedAt === undefined) throw notFound(NO_ACTIVITY);
  return found;
}

function heartbeat(server: Server, { execution, activity }: Found, details: Payloads | null) {
  activity.heartbeatAt = server.clock.now();
  activity.heartbeatDetails = details ?? undefined;
  commit(server, execution);
  return {
    cancelRequested: activity.cancelRequestedEventId !== undefined,
    activityPaused: activity.pause !== undefined,
    activityReset: activity.isReset,
  };
}

function complete(
  server: Server,
  { execution, activity }: Found,
  request: { result?: Payloads | null; identity?: string | null },
): object {
  completeActivity(server, execution, {
    activity,
    identity: request.identity ?? '',
    result: request.result ?? null,
  });
  return {};
}

function fail(
  server: Server,
  { execution, activity }: Found,
  request: Failing & { identity?: string | null },
): object {
  if (request.lastHeartbeatDetails) {
    activity.heartbeatDetails = request.lastHeartbeatDetails;
    activity.heartbeatAt = server.clock.now();
  }
  const identity = request.identity ?? '';
  failActivity(server, execution, { activity, identity, failure: request.failure ?? {} });
  return { failures: [] };
}

function cancel(
  server: Server,
  { execution, activity }: Found,
  request: { details?: Payloads | null; identity?: string | null },
): object {
  if (activity.cancelRequestedEventId === undefined) {
    throw invalidArgument(
      'unable to mark activity as canceled without activity being request canceled first',
    );
  }
  const identity = request.identity ?? '';
  recordActivityCanceled(server, execution, {
    activity,
    identity,
    details: request.details ?? null,
  });
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
  return {};
}
