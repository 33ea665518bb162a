import {
  WorkflowNotFoundError,
  type Client,
  type ScheduleDescription,
  type ScheduleExecutionResult,
} from '@temporalio/client';

import { Urgency } from '../../engine/core/names.js';
import type { Operation } from '../../contract/wire/names.js';
import type { ListedPhase } from '../run-filter.js';
import { listedPhase } from '../run-summary.js';
import { timingOf, describeTiming } from './schedule-timing.js';
import { catchUpText, overlapOf, type Overlap } from './schedule-policies.js';

/** One run of a schedule. */
export interface ScheduledRun {
  workflowId: string;
  /** The time that the schedule says, or that of a trigger. */
  dueAt: Date;
  startedAt: Date;
  /** `forgotten`: its retention has passed. */
  phase: ListedPhase | 'forgotten';
  /** Missing for an open run. */
  endedAt?: Date;
}

export interface ScheduleView {
  scheduleId: string;
  operation: Operation;
  /** Such as `every day at 02:30, Europe/Berlin`. */
  timing: string;
  /** IANA name; UTC for a schedule that counts hours. */
  zone: string;
  overlap: Overlap | undefined;
  /** How late a run may start after an outage: a duration, or `none`. */
  catchUp: string;
  urgency: Urgency | undefined;
  paused: boolean;
  /** Why it is paused. */
  note?: string;
  /** Another tool has changed it: `timing` may be out of date. */
  changedElsewhere: boolean;
  /** The next times; none while it is paused. */
  nextAt: Date[];
  /** The newest runs, newest first. */
  lastRuns: ScheduledRun[];
  /** Runs that wait for the end of the open one. */
  waiting: number;
  started: number;
  /** Not started, because it would have been later than `catchUp` allows. */
  missed: number;
  /** Not started, because a run was open. */
  skipped: number;
}

const NEXT_TIMES = 5;

export async function showSchedule(
  client: Client,
  operation: Operation,
  schedule: ScheduleDescription,
): Promise<ScheduleView> {
  const { action, info, state } = schedule;
  const timing = timingOf(schedule.memo);
  const runs = [...info.recentActions].reverse().map((run) => toRun(client, run));
  return {
    scheduleId: schedule.scheduleId,
    operation,
    timing: timing === undefined ? 'set by another tool' : describeTiming(timing),
    zone: schedule.spec.timezone ?? 'UTC',
    overlap: overlapOf(schedule.policies.overlap),
    catchUp: catchUpText(schedule.policies.catchupWindow),
    urgency: urgencyOf(action.priority?.priorityKey),
    paused: state.paused,
    ...(state.paused && state.note !== undefined && state.note !== '' && { note: state.note }),
    changedElsewhere: info.lastUpdatedAt !== undefined,
    nextAt: state.paused ? [] : info.nextActionTimes.slice(0, NEXT_TIMES),
    lastRuns: await Promise.all(runs),
    waiting: schedule.raw.info?.bufferSize?.toNumber() ?? 0,
    started: info.numActionsTaken,
    missed: info.numActionsMissedCatchupWindow,
    skipped: info.numActionsSkippedOverlap,
  };
}

function urgencyOf(priorityKey: number = Urgency.normal): Urgency | undefined {
  const isName = (name: string): name is Urgency => Object.hasOwn(Urgency, name);
  return Object.keys(Urgency)
    .filter(isName)
    .find((name) => Urgency[name] === priorityKey);
}

/** The newest run of this id: the one that `retry` has started counts. */
async function toRun(
  client: Client,
  { scheduledAt, takenAt, action }: ScheduleExecutionResult,
): Promise<ScheduledRun> {
  const { workflowId } = action.workflow;
  const base = { workflowId, dueAt: scheduledAt, startedAt: takenAt };
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    const ended = run.closeTime === undefined ? {} : { endedAt: run.closeTime };
    return { ...base, phase: listedPhase(run), ...ended };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { ...base, phase: 'forgotten' };
    throw error;
  }
}
