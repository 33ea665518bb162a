import { isWorkflowTaskStarted, nextEventId } from '../history/record.js';
import { atTime } from '../history/wakes.js';
import { drawId } from '../model/ids.js';
import type { Execution, WorkflowTask } from '../model/execution.js';
import type { Poll } from '../model/queues.js';
import type { Server } from '../model/server.js';
import { dispatch, isStickyAvailable } from '../queues/matching.js';
import { priorityOf } from '../queues/priority.js';
import { hasOutgoing } from '../updates/registry.js';
import { commit } from './commit.js';
import { workflowTaskAnswer } from './poll-answer.js';
import {
  addWorkflowTask,
  failAttempt,
  isRunning,
  isTransient,
  recordScheduled,
  recordStarted,
  recordTimedOut,
  writeSpeculative,
  type ScheduleOptions,
} from './schedule.js';

/** A speculative task that no worker takes becomes a normal one after this. */
const SPECULATIVE_START_MS = 5_000;

/** Schedules a workflow task where none is pending, and has it dispatched. */
export function scheduleWorkflowTask(
  server: Server,
  execution: Execution,
  options: ScheduleOptions = {},
): void {
  if (execution.workflowTask !== undefined || !isRunning(execution)) return;
  addWorkflowTask(server, execution, options);
  dispatchWorkflowTask(server, execution);
}

/** Hands the pending workflow task to the queue of the worker that knows the run, or to the common one. */
export function dispatchWorkflowTask(server: Server, execution: Execution): void {
  const task = execution.workflowTask;
  if (task === undefined) return;
  watchStart(server, execution);
  const isPending = (): boolean =>
    execution.workflowTask === task && task.startedEventId === undefined && isRunning(execution);
  dispatch(
    server,
    {
      priority: priorityOf(execution.priority),
      start: (poll) => (isPending() ? startFor(server, execution, { task, poll }) : undefined),
    },
    { type: 'workflow', name: () => (isPending() ? queueNow(server, execution) : undefined) },
  );
}

function queueNow(server: Server, { sticky, taskQueue }: Execution): string {
  if (sticky !== undefined && isStickyAvailable(server, sticky.name)) return sticky.name;
  return taskQueue;
}

function startFor(
  server: Server,
  execution: Execution,
  { task, poll }: { task: WorkflowTask; poll: Poll },
): object | undefined {
  // Its worker did not come for ten seconds, and another one has taken the task.
  if (execution.sticky !== undefined && execution.sticky.name !== poll.queue) {
    execution.sticky = undefined;
  }
  if (task.kind === 'speculative' && !hasOutgoing(execution)) return undefined;
  startWorkflowTask(server, execution, { requestId: drawId(server.draw), identity: poll.identity });
  const isSticky = execution.sticky !== undefined;
  const answer = workflowTaskAnswer(execution, task, { isSticky, isHeartbeat: false });
  if (task.kind === 'normal') commit(server, execution);
  return answer;
}

/** Marks the pending workflow task as started, and watches over the time for it. */
export function startWorkflowTask(
  server: Server,
  execution: Execution,
  { requestId, identity }: { requestId: string; identity: string },
): void {
  const task = execution.workflowTask;
  if (task === undefined) return;
  const now = server.clock.now();
  Object.assign(task, { requestId, identity, startedAt: now });
  task.historySizeBytes = execution.historySizeBytes;
  task.suggestContinueAsNew = isLong(server, execution);
  let isWritten = task.kind === 'normal' && !isTransient(execution);
  if (!isWritten && task.scheduledEventId !== nextEventId(execution)) {
    // Events came after it was scheduled: it has become a workflow task like any other.
    task.attempt = 1;
    execution.workflowTaskAttempt = 1;
    task.kind = 'normal';
    task.scheduledAt = now;
    recordScheduled(server, execution, task);
    isWritten = true;
  }
  if (isWritten) recordStarted(server, execution, task);
  else task.startedEventId = task.scheduledEventId + 1;
  watchTask(server, execution, task);
}

function isLong({ limits }: Server, execution: Execution): boolean {
  return (
    nextEventId(execution) >= limits.suggestContinueAsNewCount ||
    execution.historySizeBytes >= limits.suggestContinueAsNewBytes
  );
}

function watchTask(server: Server, execution: Execution, task: WorkflowTask): void {
  task.cancelTimeout?.();
  task.cancelTimeout = atTime(server, task.startedAt + task.timeoutMs, () => {
    if (execution.workflowTask !== task || !isRunning(execution)) return;
    if (!isWorkflowTaskStarted(execution)) return;
    writeSpeculative(server, execution, { task });
    if (!isTransient(execution)) recordTimedOut(server, execution, task);
    failAttempt(execution, true);
    scheduleWorkflowTask(server, execution);
    commit(server, execution);
  });
}

/** Watches over the time in which a sticky or speculative task must be taken. */
function watchStart(server: Server, execution: Execution): void {
  const task = execution.workflowTask;
  const limit = startLimit(execution, task);
  if (task === undefined || limit === undefined) return;
  task.cancelTimeout = atTime(server, server.clock.now() + limit, () => {
    if (execution.workflowTask !== task || task.startedEventId !== undefined) return;
    if (!isRunning(execution)) return;
    writeSpeculative(server, execution, { task });
    recordTimedOut(server, execution, task);
    failAttempt(execution, false);
    scheduleWorkflowTask(server, execution);
    commit(server, execution);
  });
}

function startLimit(execution: Execution, task: WorkflowTask | undefined): number | undefined {
  if (task?.kind === 'speculative') return SPECULATIVE_START_MS;
  return execution.sticky?.scheduleToStartMs;
}
