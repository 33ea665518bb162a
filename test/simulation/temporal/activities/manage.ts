import type { temporal } from '@temporalio/proto';

import { failedPrecondition, invalidArgument, notFound } from '../base/grpc-error.js';
import type { Handlers } from '../base/requests.js';
import { toMs } from '../base/values.js';
import { findRunning } from '../executions/find.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { commit } from '../workflow-tasks/commit.js';
import { optionsOf } from './pending.js';
import { waitAfter } from './retry.js';
import { dispatchActivityAt, fullRetryPolicy } from './schedule.js';

type Pause = temporal.api.workflowservice.v1.IPauseActivityRequest;
type Unpause = temporal.api.workflowservice.v1.IUnpauseActivityRequest;
type Reset = temporal.api.workflowservice.v1.IResetActivityRequest;
type Update = temporal.api.workflowservice.v1.IUpdateActivityOptionsRequest;

const NOT_PENDING =
  "Can't find pending activity with such ID. Invalid activityID or activity already completed";

/** What operators do to pending activities. */
export function manageHandlers(server: Server): Handlers {
  return {
    PauseActivity: (request: Pause) => pause(server, request),
    UnpauseActivity: (request: Unpause) => unpause(server, request),
    ResetActivity: (request: Reset) => reset(server, request),
    UpdateActivityOptions: (request: Update) => updateOptions(server, request),
  };
}

interface Named {
  execution?: Pause['execution'];
  id?: string | null;
  type?: string | null;
}

/** The activities that a request names, by their id or their type. @throws GrpcError for none */
function named(server: Server, request: Named): { execution: Execution; activities: Activity[] } {
  const execution = findRunning(server, request.execution);
  if (!request.id && !request.type && !('unpauseAll' in request) && !('matchAll' in request)) {
    throw invalidArgument('Either activity id or type must be set.');
  }
  const activities = [...execution.activities.values()].filter(
    ({ activityId, type }) =>
      (!request.id || activityId === request.id) && (!request.type || type === request.type),
  );
  if (activities.length === 0) throw notFound(NOT_PENDING);
  return { execution, activities };
}

function pause(server: Server, request: Pause): object {
  const { execution, activities } = named(server, request);
  for (const activity of activities) {
    if (activity.pause !== undefined) {
      if (activity.pause.requestId === (request.requestId ?? '')) continue;
      throw failedPrecondition('activity is already paused');
    }
    // One that runs may finish. One that waits is not handed out any more.
    if (activity.startedAt === undefined) activity.stamp += 1;
    activity.pause = {
      requestId: request.requestId ?? '',
      identity: request.identity ?? '',
      reason: request.reason ?? '',
      pausedAt: server.clock.now(),
    };
  }
  commit(server, execution);
  return {};
}

function unpause(server: Server, request: Unpause): object {
  const { execution, activities } = named(server, request);
  for (const activity of activities) {
    if (activity.pause === undefined) continue;
    activity.pause = undefined;
    activity.stamp += 1;
    if (request.resetAttempts === true) activity.attempt = 1;
    if (request.resetHeartbeat === true) forgetHeartbeats(activity);
    if (activity.startedAt === undefined) activity.lastFailure = undefined;
    dispatchSoon(server, execution, { activity, jitterMs: toMs(request.jitter) });
  }
  commit(server, execution);
  return {};
}

function forgetHeartbeats(activity: Activity): void {
  activity.heartbeatDetails = undefined;
  activity.heartbeatAt = undefined;
}

function dispatchSoon(
  server: Server,
  execution: Execution,
  { activity, jitterMs }: { activity: Activity; jitterMs: number },
): void {
  if (activity.startedAt !== undefined) return;
  const jitter = jitterMs > 0 ? server.draw.number(0, Math.floor(jitterMs)) : 0;
  dispatchActivityAt(server, execution, { activity, at: server.clock.now() + jitter });
}

function reset(server: Server, request: Reset): object {
  const { execution, activities } = named(server, request);
  for (const activity of activities) resetOne(server, execution, { activity, request });
  commit(server, execution);
  return {};
}

function resetOne(
  server: Server,
  execution: Execution,
  { activity, request }: { activity: Activity; request: Reset },
): void {
  activity.attempt = 1;
  if (request.restoreOriginalOptions === true) restoreOptions(activity);
  const isPaused = activity.pause !== undefined;
  if (activity.startedAt !== undefined || (isPaused && request.keepPaused === true)) {
    activity.isReset = true;
    activity.resetsHeartbeats = request.resetHeartbeat === true;
    return;
  }
  activity.stamp += 1;
  activity.pause = undefined;
  activity.lastFailure = undefined;
  if (request.resetHeartbeat === true) forgetHeartbeats(activity);
  dispatchSoon(server, execution, { activity, jitterMs: toMs(request.jitter) });
}

function restoreOptions(activity: Activity): void {
  const { scheduled } = activity;
  activity.taskQueue = scheduled.taskQueue?.name ?? activity.taskQueue;
  activity.scheduleToCloseMs = toMs(scheduled.scheduleToCloseTimeout);
  activity.scheduleToStartMs = toMs(scheduled.scheduleToStartTimeout);
  activity.startToCloseMs = toMs(scheduled.startToCloseTimeout);
  activity.heartbeatMs = toMs(scheduled.heartbeatTimeout);
  activity.retryPolicy = fullRetryPolicy(scheduled.retryPolicy);
}

type Options = NonNullable<Update['activityOptions']>;

/** How each path of an update mask changes an activity. */
const SETTERS: ReadonlyMap<string, (activity: Activity, options: Options) => void> = new Map<
  string,
  (activity: Activity, options: Options) => void
>([
  [
    'taskqueue.name',
    (activity, { taskQueue }) => {
      activity.taskQueue = taskQueue?.name ?? activity.taskQueue;
    },
  ],
  [
    'scheduletoclosetimeout',
    (activity, options) => {
      activity.scheduleToCloseMs = toMs(options.scheduleToCloseTimeout);
    },
  ],
  [
    'scheduletostarttimeout',
    (activity, options) => {
      activity.scheduleToStartMs = toMs(options.scheduleToStartTimeout);
    },
  ],
  [
    'starttoclosetimeout',
    (activity, options) => {
      activity.startToCloseMs = toMs(options.startToCloseTimeout);
    },
  ],
  [
    'heartbeattimeout',
    (activity, options) => {
      activity.heartbeatMs = toMs(options.heartbeatTimeout);
    },
  ],
  ['retrypolicy.initialinterval', retrySetter('initialInterval')],
  ['retrypolicy.backoffcoefficient', retrySetter('backoffCoefficient')],
  ['retrypolicy.maximuminterval', retrySetter('maximumInterval')],
  ['retrypolicy.maximumattempts', retrySetter('maximumAttempts')],
  [
    'retrypolicy',
    (activity, { retryPolicy }) => {
      activity.retryPolicy = fullRetryPolicy(retryPolicy);
    },
  ],
]);

type RetryField = 'initialInterval' | 'backoffCoefficient' | 'maximumInterval' | 'maximumAttempts';

function retrySetter(field: RetryField) {
  return (activity: Activity, { retryPolicy }: Options): void => {
    activity.retryPolicy = { ...activity.retryPolicy, [field]: retryPolicy?.[field] ?? null };
  };
}

/** An attempt that waits waits as long as the new policy says. */
function nextAttemptAt(activity: Activity): number {
  const { attempt, lastAttemptCompletedAt, lastFailure = {}, retryPolicy } = activity;
  if (attempt === 1 || lastAttemptCompletedAt === undefined) return activity.scheduledAt;
  return lastAttemptCompletedAt + waitAfter(lastFailure, retryPolicy, attempt - 1);
}

function updateOptions(server: Server, request: Update): object {
  const { execution, activities } = named(server, request);
  const options = request.activityOptions ?? {};
  for (const activity of activities) {
    if (request.restoreOriginal === true) restoreOptions(activity);
    for (const path of request.updateMask?.paths ?? []) {
      const set = SETTERS.get(path.replaceAll('_', '').toLowerCase());
      if (set === undefined) throw invalidArgument(`unknown path in update mask: ${path}`);
      set(activity, options);
    }
    activity.stamp += 1;
    if (activity.startedAt === undefined && activity.pause === undefined) {
      dispatchActivityAt(server, execution, { activity, at: nextAttemptAt(activity) });
      activity.lastFailure = undefined;
    }
  }
  commit(server, execution);
  const [first] = activities;
  return { activityOptions: first === undefined ? null : optionsOf(first) };
}
