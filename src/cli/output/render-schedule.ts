import { formatDuration } from '../../client/format-duration.js';
import type { ScheduledRun, ScheduleSummary, ScheduleView } from '../../client/index.js';
import { align } from './align.js';

export function renderSchedules(schedules: readonly ScheduleSummary[]): string[] {
  const rows = schedules.map(({ scheduleId, operation, timing, paused, nextAt, lastRunAt }) => [
    scheduleId,
    operation,
    paused ? 'paused' : (nextAt?.toISOString() ?? 'none'),
    lastRunAt?.toISOString() ?? 'none',
    timing,
  ]);
  return align([['ID', 'OPERATION', 'NEXT', 'LAST RUN', 'TIMING'], ...rows]);
}

export function renderSchedule(view: ScheduleView, now: number): string[] {
  const { overlap, catchUp, urgency, zone, nextAt, lastRuns } = view;
  const facts = [
    ['state', stateOf(view)],
    ['overlap', overlap ?? 'set by another tool'],
    ['catch-up', catchUp],
    ['urgency', urgency ?? 'set by another tool'],
    ...nextAt.map((time, at) => [at === 0 ? 'next' : '', inBoth(time, zone)]),
    ['runs', countsOf(view)],
  ];
  const changed = 'Another tool has changed it: its timing may differ from what stands here.';
  return [
    `${view.scheduleId} (${view.operation}): ${view.timing}`,
    ...align(facts.map(([name = '', text = '']) => [`  ${name}`, text])),
    ...(view.changedElsewhere ? [`  ${changed}`] : []),
    ...(lastRuns.length === 0 ? [] : renderRuns(lastRuns, now)),
  ];
}

function stateOf({ paused, note, nextAt }: ScheduleView): string {
  if (paused) return note === undefined ? 'paused' : `paused: ${note}`;
  return nextAt.length === 0 ? 'has no further time' : 'active';
}

function countsOf({ started, missed, skipped, waiting }: ScheduleView): string {
  return [
    `${started} started`,
    `${missed} missed (too late for the catch-up)`,
    `${skipped} skipped (a run was open)`,
    `${waiting} waiting`,
  ].join(', ');
}

/** `2026-11-24T01:30:00Z (24 Nov 2026, 02:30 Europe/Berlin)` */
function inBoth(time: Date, zone: string): string {
  const utc = `${time.toISOString().slice(0, 19)}Z`;
  if (zone === '' || zone === 'UTC') return utc;
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);
  return `${utc} (${local} ${zone})`;
}

function renderRuns(runs: readonly ScheduledRun[], now: number): string[] {
  const rows = runs.map(({ workflowId, dueAt, startedAt, phase, endedAt }) => [
    phase,
    `${dueAt.toISOString().slice(0, 19)}Z`,
    phase === 'forgotten' ? '' : formatDuration((endedAt?.getTime() ?? now) - startedAt.getTime()),
    endedAt === undefined ? '' : `${endedAt.toISOString().slice(0, 19)}Z`,
    workflowId,
  ]);
  return ['', ...align([['PHASE', 'DUE', 'TOOK', 'ENDED', 'WORKFLOW ID'], ...rows])];
}
