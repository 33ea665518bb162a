import type { Failure } from '../base/proto.js';
import { RetryState, TimeoutType } from '../base/proto.js';
import { commit } from '../workflow-tasks/commit.js';
import { setWake } from '../history/wakes.js';
import type { Activity, Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import { isRunning } from '../workflow-tasks/schedule.js';
import { scheduleWorkflowTask } from '../workflow-tasks/start.js';
import { recordActivityTimedOut, retryActivity, type RetryStateValue } from './finish.js';

type TimeoutValue = (typeof TimeoutType)[keyof typeof TimeoutType];

interface Deadline {
  at: number;
  type: TimeoutValue;
  attempt: number;
}

const NAMES: ReadonlyMap<TimeoutValue, string> = new Map([
  [TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START, 'ScheduleToStart'],
  [TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE, 'ScheduleToClose'],
  [TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE, 'StartToClose'],
  [TimeoutType.TIMEOUT_TYPE_HEARTBEAT, 'Heartbeat'],
]);

/** The times at which something of this activity is too late, the soonest first. */
function deadlinesOf(activity: Activity): Deadline[] {
  const { startedAt, attempt } = activity;
  const deadlines: Deadline[] = [];
  const add = (type: TimeoutValue, from: number, limitMs: number): void => {
    if (limitMs > 0) deadlines.push({ type, attempt, at: from + limitMs });
  };
  if (startedAt === undefined) {
    if (activity.pause === undefined) {
      const type = TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START;
      add(type, activity.scheduledAt, activity.scheduleToStartMs);
    }
  } else {
    add(TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE, startedAt, activity.startToCloseMs);
    const beat = Math.max(startedAt, activity.heartbeatAt ?? 0);
    add(TimeoutType.TIMEOUT_TYPE_HEARTBEAT, beat, activity.heartbeatMs);
  }
  const all = TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE;
  add(all, activity.firstScheduledAt, activity.scheduleToCloseMs);
  return deadlines.sort((a, b) => a.at - b.at);
}

/** Keeps the timer at the soonest deadline of all activities of a run. */
export function watchActivities(server: Server, execution: Execution): void {
  let at: number | undefined;
  for (const activity of execution.activities.values()) {
    const next = deadlinesOf(activity)[0]?.at;
    if (next !== undefined && (at === undefined || next < at)) at = next;
  }
  setWake(server, execution, {
    name: 'activities',
    at,
    act: () => {
      timeOutActivities(server, execution);
    },
  });
}

interface Due {
  activity: Activity;
  deadline: Deadline;
}

function timeOutActivities(server: Server, execution: Execution): void {
  if (!isRunning(execution)) return;
  const now = server.clock.now();
  const due: Due[] = [];
  for (const activity of execution.activities.values()) {
    for (const deadline of deadlinesOf(activity)) {
      if (deadline.at <= now) due.push({ activity, deadline });
    }
  }
  due.sort((a, b) => a.deadline.at - b.deadline.at);
  let tellsRun = false;
  for (const one of due) tellsRun = timeOut(server, execution, one) || tellsRun;
  if (tellsRun) scheduleWorkflowTask(server, execution);
  commit(server, execution);
}

/** Ends an attempt that is too late. True where the run must be told. */
function timeOut(server: Server, execution: Execution, { activity, deadline }: Due): boolean {
  if (execution.activities.get(activity.scheduledEventId) !== activity) return false;
  // Another deadline has ended this attempt just now.
  if (deadline.attempt < activity.attempt) return false;
  const failure = timeoutFailure(deadline.type);
  const isFinal = FINAL.has(deadline.type) && activity.cancelRequestedEventId === undefined;
  const retryState = isFinal
    ? RetryState.RETRY_STATE_TIMEOUT
    : retryActivity(server, execution, { activity, failure });
  if (retryState === RetryState.RETRY_STATE_IN_PROGRESS) return false;
  const told = toldFailure(activity, { failure, isFinal, retryState });
  if (told.timeoutFailureInfo && activity.heartbeatDetails !== undefined) {
    told.timeoutFailureInfo.lastHeartbeatDetails = activity.heartbeatDetails;
  }
  recordActivityTimedOut(server, execution, { activity, failure: told, retryState });
  return true;
}

interface Told {
  failure: Failure;
  isFinal: boolean;
  retryState: RetryStateValue;
}

/** Once the time for all attempts is over, the run is told of the last failure as well. */
function toldFailure({ lastFailure }: Activity, { failure, isFinal, retryState }: Told): Failure {
  if (!isFinal && retryState === RetryState.RETRY_STATE_TIMEOUT) return tooLate(failure);
  const all = TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE;
  const isAll = isFinal && failure.timeoutFailureInfo?.timeoutType === all;
  return isAll ? tooLate(lastFailure) : failure;
}

/** No attempt can follow these. */
const FINAL: ReadonlySet<TimeoutValue> = new Set([
  TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START,
  TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE,
]);

function tooLate(cause: Failure | undefined): Failure {
  return {
    message:
      'Not enough time to schedule next retry before activity ScheduleToClose timeout, giving up retrying',
    source: 'Server',
    ...(cause !== undefined && { cause }),
    timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE },
  };
}

function timeoutFailure(timeoutType: TimeoutValue): Failure {
  return {
    message: `activity ${NAMES.get(timeoutType) ?? ''} timeout`,
    source: 'Server',
    timeoutFailureInfo: { timeoutType },
  };
}
