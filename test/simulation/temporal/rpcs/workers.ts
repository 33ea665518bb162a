import type { temporal } from '@temporalio/proto';

import { TaskQueueType } from '../base/proto.js';
import type { Handlers } from '../base/requests.js';
import { toDuration, toLong, toTimestamp } from '../base/values.js';
import { readToken } from '../base/token.js';
import { findRunning } from '../executions/find.js';
import type { Queue } from '../model/queues.js';
import type { Server } from '../model/server.js';
import { NO_RATE, poll } from '../queues/poll.js';
import { queryWorkflow, respondQueryTaskCompleted, type OpenQueries } from '../queries/query.js';
import { commit } from '../workflow-tasks/commit.js';
import { respondWorkflowTaskCompleted, taskOfToken } from '../workflow-tasks/complete.js';
import { recordTaskFailed } from '../workflow-tasks/fail.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { WorkflowTaskFailedCause } from '../base/proto.js';

type Failed = temporal.api.workflowservice.v1.IRespondWorkflowTaskFailedRequest;

/** How long a worker that no longer asks is shown at its queue. */
const POLLER_MS = 5 * 60_000;

/** What workers call, and what concerns them. */
export function workerHandlers(server: Server): Handlers {
  const open: OpenQueries = new Map();
  return {
    PollWorkflowTaskQueue: (
      request: temporal.api.workflowservice.v1.IPollWorkflowTaskQueueRequest,
      call,
    ) => poll(server, 'workflow', { request, call }),
    PollActivityTaskQueue: (
      request: temporal.api.workflowservice.v1.IPollActivityTaskQueueRequest,
      call,
    ) => poll(server, 'activity', { request, call }),
    /** Nexus tasks are not simulated: nobody is ever asked. */
    PollNexusTaskQueue: (_request, call) => idle(server, call.signal),
    RespondWorkflowTaskCompleted: (
      request: temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedRequest,
    ) => respondWorkflowTaskCompleted(server, request),
    RespondWorkflowTaskFailed: (request: Failed) => respondWorkflowTaskFailed(server, request),
    RespondQueryTaskCompleted: (
      request: temporal.api.workflowservice.v1.IRespondQueryTaskCompletedRequest,
    ) => respondQueryTaskCompleted(open, request),
    QueryWorkflow: (request: temporal.api.workflowservice.v1.IQueryWorkflowRequest, call) =>
      queryWorkflow(server, open, { request, call }),
    DescribeTaskQueue: (request: temporal.api.workflowservice.v1.IDescribeTaskQueueRequest) =>
      describeTaskQueue(server, request),
    ShutdownWorker: (request: temporal.api.workflowservice.v1.IShutdownWorkerRequest) =>
      shutdownWorker(server, request),
    RecordWorkerHeartbeat: () => ({}),
    ResetStickyTaskQueue: (
      request: temporal.api.workflowservice.v1.IResetStickyTaskQueueRequest,
    ) => {
      findRunning(server, request.execution).sticky = undefined;
      return {};
    },
  };
}

function idle(server: Server, signal: AbortSignal | undefined): Promise<object> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      resolve({});
    };
    const cancel = server.clock.after(server.limits.pollMs, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

function respondWorkflowTaskFailed(server: Server, request: Failed): object {
  const { execution, task } = taskOfToken(server, readToken(request.taskToken));
  recordTaskFailed(server, execution, {
    task,
    cause: request.cause ?? WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNSPECIFIED,
    failure: request.failure ?? null,
    identity: request.identity ?? '',
  });
  scheduleWorkflowTask(server, execution);
  commit(server, execution);
  return {};
}

function describeTaskQueue(
  server: Server,
  request: temporal.api.workflowservice.v1.IDescribeTaskQueueRequest,
): object {
  const isActivity = request.taskQueueType === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
  const queue = server.queues[isActivity ? 'activity' : 'workflow'].get(
    request.taskQueue?.name ?? '',
  );
  const now = server.clock.now();
  return {
    pollers: pollersOf(queue, now),
    ...(request.reportStats === true && { stats: statsOf(queue, now) }),
    ...(request.includeTaskQueueStatus === true && {
      taskQueueStatus: {
        backlogCountHint: toLong(queue?.tasks.length ?? 0),
        ratePerSecond: queue?.rate ?? NO_RATE,
      },
    }),
  };
}

function statsOf(queue: Queue | undefined, now: number): object {
  const tasks = queue?.tasks ?? [];
  const oldest = Math.min(now, ...tasks.map(({ addedAt }) => addedAt));
  return {
    approximateBacklogCount: toLong(tasks.length),
    approximateBacklogAge: toDuration(now - oldest),
  };
}

function pollersOf(queue: Queue | undefined, now: number): object[] {
  return [...(queue?.pollers ?? [])]
    .filter(([, { at }]) => now - at < POLLER_MS)
    .sort(([, a], [, b]) => b.at - a.at)
    .map(([identity, { at, rate }]) => ({
      identity,
      lastAccessTime: toTimestamp(at),
      ratePerSecond: rate,
    }));
}

/** A worker that leaves gives up its own queue: what would wait there goes to the others at once. */
function shutdownWorker(
  server: Server,
  request: temporal.api.workflowservice.v1.IShutdownWorkerRequest,
): object {
  const name = request.stickyTaskQueue ?? '';
  const queue = server.queues.workflow.get(name);
  server.queues.workflow.delete(name);
  for (const poll of [...(queue?.polls ?? [])]) poll.answer({});
  return {};
}
