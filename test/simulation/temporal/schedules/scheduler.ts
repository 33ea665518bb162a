import proto from '@temporalio/proto';

import { WorkflowExecutionStatus } from '../base/proto.js';
import type { Status } from '../base/proto.js';
import { GrpcError } from '../base/grpc-error.js';
import { pick } from '../base/pick.js';
import { toPayload, toTimestamp } from '../base/values.js';
import { HISTORY_SERVICE, terminateExecution } from '../executions/close.js';
import { requestCancel } from '../executions/signal.js';
import { startExecution } from '../executions/start.js';
import { atTime } from '../history/wakes.js';
import { drawId } from '../model/ids.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { commit } from '../workflow-tasks/commit.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import type { Due, OverlapPolicy, Schedule } from './schedule.js';
import { nextTime } from './spec.js';

const { ScheduleOverlapPolicy: Overlap } = proto.temporal.api.enums.v1;

const MOST_RECENT = 10;
const MOST_BUFFERED = 1_000;
const FAILED: ReadonlySet<Status> = new Set([
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
  WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TIMED_OUT,
]);

/** Has the schedule act at its next time. */
export function wakeSchedule(server: Server, schedule: Schedule): void {
  schedule.cancelWake?.();
  schedule.cancelWake = undefined;
  const next = nextTime(schedule.spec, schedule.doneUntil);
  if (next === undefined || schedule.isDeleted) return;
  schedule.cancelWake = atTime(server, next, () => {
    actOn(server, schedule);
  });
}

/** Takes up all times that have come. */
function actOn(server: Server, schedule: Schedule): void {
  const now = server.clock.now();
  for (;;) {
    const next = nextTime(schedule.spec, schedule.doneUntil);
    if (next === undefined || next > now) break;
    schedule.doneUntil = next;
    if (schedule.isPaused) continue;
    if (now - next > schedule.catchUpMs) schedule.missedCatchUp += 1;
    else enqueue(schedule, { nominalAt: next, overlap: schedule.overlap, isManual: false });
  }
  workOff(server, schedule);
  wakeSchedule(server, schedule);
}

export function enqueue(schedule: Schedule, due: Due): void {
  if (schedule.buffer.length >= MOST_BUFFERED) schedule.bufferDropped += 1;
  else schedule.buffer.push(due);
}

/** Starts what may start now, by the policy for runs that overlap. */
export function workOff(server: Server, schedule: Schedule): void {
  const waiting: Due[] = [];
  const isBusy = (): boolean => schedule.running.length > 0;
  for (const due of schedule.buffer) {
    if (due.overlap === Overlap.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL || !isBusy()) {
      start(server, schedule, due);
    } else keep(server, schedule, { due, waiting });
  }
  schedule.buffer = waiting;
}

function keep(
  server: Server,
  schedule: Schedule,
  { due, waiting }: { due: Due; waiting: Due[] },
): void {
  switch (due.overlap) {
    case Overlap.SCHEDULE_OVERLAP_POLICY_BUFFER_ALL:
      waiting.push(due);
      return;
    case Overlap.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE:
      if (waiting.length === 0) waiting.push(due);
      else schedule.overlapSkipped += 1;
      return;
    case Overlap.SCHEDULE_OVERLAP_POLICY_CANCEL_OTHER:
    case Overlap.SCHEDULE_OVERLAP_POLICY_TERMINATE_OTHER:
      waiting.splice(0, waiting.length, due);
      endRunning(server, schedule, due.overlap);
      return;
    case Overlap.SCHEDULE_OVERLAP_POLICY_UNSPECIFIED:
    case Overlap.SCHEDULE_OVERLAP_POLICY_SKIP:
    case Overlap.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL:
      schedule.overlapSkipped += 1;
  }
}

function endRunning(server: Server, schedule: Schedule, overlap: OverlapPolicy): void {
  for (const { workflowId } of [...schedule.running]) {
    const execution = server.executions.current.get(workflowId);
    if (execution === undefined || !isRunning(execution)) continue;
    const reason = 'cancelled by schedule overlap policy';
    const identity = identityOf(server, schedule);
    if (overlap === Overlap.SCHEDULE_OVERLAP_POLICY_CANCEL_OTHER) {
      requestCancel(server, execution, { reason, identity });
    } else {
      terminateExecution(server, execution, {
        reason: 'terminated by schedule overlap policy',
        identity: HISTORY_SERVICE,
        details: null,
      });
      commit(server, execution);
    }
  }
}

function identityOf({ namespace }: Server, { scheduleId }: Schedule): string {
  return `temporal-scheduler-${namespace.name}-${scheduleId}`;
}

/** The time as it stands in the id of the run: whole seconds. */
function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function start(server: Server, schedule: Schedule, due: Due): void {
  if (!due.isManual && !takeAction(schedule)) return;
  const { action } = schedule;
  const nominal = timeText(due.nominalAt);
  try {
    const { execution } = startExecution(server, {
      ...pick(action, [
        'workflowType',
        'taskQueue',
        'input',
        'workflowExecutionTimeout',
        'workflowRunTimeout',
        'workflowTaskTimeout',
        'retryPolicy',
        'memo',
        'header',
        'userMetadata',
        'priority',
      ]),
      workflowId: `${action.workflowId ?? ''}-${nominal}`,
      requestId: drawId(server.draw),
      identity: identityOf(server, schedule),
      searchAttributes: {
        indexedFields: {
          ...action.searchAttributes?.indexedFields,
          TemporalScheduledById: toPayload(schedule.scheduleId, 'Keyword'),
          TemporalScheduledStartTime: toPayload(nominal, 'Datetime'),
        },
      },
    });
    noteStart(server, schedule, { due, execution });
  } catch (error) {
    // The run is there already: nothing is started twice.
    if (!(error instanceof GrpcError)) throw error;
  }
}

function takeAction(schedule: Schedule): boolean {
  if (schedule.remainingActions === undefined) return true;
  if (schedule.remainingActions <= 0) return false;
  schedule.remainingActions -= 1;
  return true;
}

function noteStart(
  server: Server,
  schedule: Schedule,
  { due, execution }: { due: Due; execution: Execution },
): void {
  const { workflowId, runId, status } = execution;
  schedule.actionCount += 1;
  schedule.recent.push({
    scheduledAt: due.said ?? toTimestamp(due.nominalAt),
    startedAt: server.clock.now(),
    workflowId,
    runId,
    status,
  });
  schedule.recent = schedule.recent.slice(-MOST_RECENT);
  // A run that may run beside others holds none of them up.
  if (due.overlap !== Overlap.SCHEDULE_OVERLAP_POLICY_ALLOW_ALL) {
    schedule.running.push({ workflowId, runId });
  }
}

/** A run has closed: what has waited for it may start. */
export function afterRun(server: Server, schedule: Schedule, execution: Execution): void {
  // The run goes on in another one.
  if (execution.newRunId !== undefined || execution.resetRunId !== undefined) return;
  for (const action of schedule.recent) {
    if (action.runId === execution.firstRunId) action.status = execution.status;
  }
  const before = schedule.running.length;
  schedule.running = schedule.running.filter(({ runId }) => runId !== execution.firstRunId);
  if (schedule.running.length === before) return;
  if (schedule.pauseOnFailure && FAILED.has(execution.status)) {
    schedule.isPaused = true;
    schedule.notes = `paused due to workflow failure: ${execution.workflowId}`;
  }
  workOff(server, schedule);
}
