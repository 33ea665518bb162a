import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import { TaskQueueKind } from '../base/proto.js';
import {
  COMPLETED_EXECUTION,
  Code,
  GrpcError,
  UNKNOWN_EXECUTION,
  invalidArgument,
  notFound,
} from '../base/grpc-error.js';
import type { Handlers } from '../base/requests.js';
import { toDuration, toLong, toMs, toNumber, toTime, toTimestamp } from '../base/values.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';
import type { Action, OverlapPolicy, Schedule } from '../schedules/schedule.js';
import { afterRun, enqueue, wakeSchedule, workOff } from '../schedules/scheduler.js';
import { fullSpec, nextTime } from '../schedules/spec.js';
import { checkSearchAttributes } from '../visibility/search-attributes.js';

type ScheduleMessage = temporal.api.schedule.v1.ISchedule;
type Create = temporal.api.workflowservice.v1.ICreateScheduleRequest;
type Update = temporal.api.workflowservice.v1.IUpdateScheduleRequest;
type Patch = temporal.api.workflowservice.v1.IPatchScheduleRequest;
type PatchMessage = temporal.api.schedule.v1.ISchedulePatch;
type List = temporal.api.workflowservice.v1.IListSchedulesRequest;

const { ScheduleOverlapPolicy: Overlap } = proto.temporal.api.enums.v1;

const DEFAULT_CATCH_UP_MS = 365 * 24 * 3_600_000;
const LEAST_CATCH_UP_MS = 10_000;
const SHOWN_TIMES = 10;
const LISTED_TIMES = 5;
const LISTED_ACTIONS = 5;
/** The schedule takes up a request a little later. */
const ACT_MS = { least: 5, most: 40 };

interface Schedules {
  /** Also those that were deleted: the server knows that there was one. */
  byId: Map<string, Schedule>;
}

export interface ScheduleHandlers {
  handlers: Handlers;
  /** A run has closed. */
  closed: (execution: Execution) => void;
}

export function scheduleHandlers(server: Server): ScheduleHandlers {
  const schedules: Schedules = { byId: new Map() };
  const open = (id: string | null | undefined): Schedule => openSchedule(schedules, id);
  return {
    handlers: {
      CreateSchedule: (request: Create) => create(server, schedules, request),
      DescribeSchedule: ({ scheduleId }: { scheduleId?: string | null }) =>
        describe(schedules, scheduleId),
      UpdateSchedule: (request: Update) => update(server, open(request.scheduleId), request),
      PatchSchedule: (request: Patch) => patch(server, open(request.scheduleId), request.patch),
      DeleteSchedule: ({ scheduleId }: { scheduleId?: string | null }) => {
        const schedule = open(scheduleId);
        schedule.isDeleted = true;
        schedule.cancelWake?.();
        return {};
      },
      ListSchedules: (request: List) => list(server, schedules, request),
    },
    closed: (execution) => {
      for (const schedule of schedules.byId.values()) {
        if (!schedule.isDeleted) afterRun(server, schedule, execution);
      }
    },
  };
}

/** @throws GrpcError */
function openSchedule(schedules: Schedules, id: string | null | undefined): Schedule {
  const schedule = schedules.byId.get(id ?? '');
  if (schedule === undefined) {
    throw notFound(`${UNKNOWN_EXECUTION}temporal-sys-scheduler:${id ?? ''}`);
  }
  if (schedule.isDeleted) throw notFound(COMPLETED_EXECUTION);
  return schedule;
}

function create(server: Server, schedules: Schedules, request: Create): object {
  checkSearchAttributes(
    server,
    request.schedule?.action?.startWorkflow?.searchAttributes?.indexedFields,
  );
  const scheduleId = request.scheduleId ?? '';
  const existing = schedules.byId.get(scheduleId);
  if (existing?.isDeleted === false) {
    if (existing.requestId === request.requestId) return { conflictToken: token(existing) };
    throw new GrpcError(Code.alreadyExists, `schedule "${scheduleId}" is already registered`);
  }
  const now = server.clock.now();
  const schedule: Schedule = {
    scheduleId,
    createdAt: now,
    memo: { ...request.memo?.fields },
    searchAttributes: { ...request.searchAttributes?.indexedFields },
    requestId: request.requestId ?? '',
    updatedAt: undefined,
    version: 1,
    ...wanted(request.schedule),
    doneUntil: now,
    buffer: [],
    running: [],
    recent: [],
    actionCount: 0,
    missedCatchUp: 0,
    overlapSkipped: 0,
    bufferDropped: 0,
    cancelWake: undefined,
    isDeleted: false,
  };
  schedules.byId.set(scheduleId, schedule);
  wakeSchedule(server, schedule);
  applyPatch(server, schedule, request.initialPatch);
  return { conflictToken: token(schedule) };
}

/** What a client may set, with what the server fills in. @throws GrpcError */
function wanted(message: ScheduleMessage | null | undefined) {
  const { spec, action, policies, state } = message ?? {};
  const start = action?.startWorkflow;
  if (!start) throw invalidArgument('must have schedule action');
  return {
    spec: fullSpec(spec),
    action: fullAction(start),
    ...policiesOf(policies),
    ...stateOf(state),
  };
}

function policiesOf(policies: ScheduleMessage['policies']) {
  const catchUpMs = toMs(policies?.catchupWindow);
  return {
    overlap: policies?.overlapPolicy || Overlap.SCHEDULE_OVERLAP_POLICY_SKIP,
    catchUpMs: Math.max(catchUpMs || DEFAULT_CATCH_UP_MS, LEAST_CATCH_UP_MS),
    pauseOnFailure: policies?.pauseOnFailure ?? false,
  };
}

function fullAction(action: Action): Action {
  return {
    ...action,
    taskQueue: {
      name: action.taskQueue?.name ?? '',
      kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
    },
  };
}

function stateOf(state: ScheduleMessage['state']) {
  return {
    isPaused: state?.paused ?? false,
    notes: state?.notes ?? '',
    remainingActions: state?.limitedActions === true ? toNumber(state.remainingActions) : undefined,
  };
}

/** Says to a client which version it has seen. */
function token({ version }: Schedule): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(version, 4);
  return bytes;
}

function update(server: Server, schedule: Schedule, request: Update): object {
  const given = request.conflictToken;
  if (given && given.length > 0 && !Buffer.from(given).equals(token(schedule))) {
    throw new GrpcError(Code.failedPrecondition, 'mismatched conflict token');
  }
  Object.assign(schedule, wanted(request.schedule));
  schedule.version += 1;
  schedule.updatedAt = server.clock.now();
  schedule.doneUntil = server.clock.now();
  wakeSchedule(server, schedule);
  return {};
}

function patch(server: Server, schedule: Schedule, message: Patch['patch']): object {
  if (message?.pause) Object.assign(schedule, { isPaused: true, notes: message.pause });
  if (message?.unpause) Object.assign(schedule, { isPaused: false, notes: message.unpause });
  if (message?.pause ?? message?.unpause) schedule.version += 1;
  applyPatch(server, schedule, message);
  return {};
}

function applyPatch(
  server: Server,
  schedule: Schedule,
  message: PatchMessage | null | undefined,
): void {
  const policyOf = (policy: OverlapPolicy | null | undefined): OverlapPolicy =>
    policy || schedule.overlap;
  const trigger = message?.triggerImmediately;
  if (trigger) {
    enqueue(schedule, {
      nominalAt: toTime(trigger.scheduledTime) ?? server.clock.now(),
      said: trigger.scheduledTime,
      overlap: policyOf(trigger.overlapPolicy),
      isManual: true,
    });
  }
  for (const { startTime, endTime, overlapPolicy } of message?.backfillRequest ?? []) {
    const end = toTime(endTime) ?? 0;
    let at = nextTime(schedule.spec, (toTime(startTime) ?? 0) - 1);
    while (at !== undefined && at <= end) {
      enqueue(schedule, { nominalAt: at, overlap: policyOf(overlapPolicy), isManual: true });
      at = nextTime(schedule.spec, at);
    }
  }
  if (schedule.buffer.length === 0) return;
  server.clock.after(server.draw.number(ACT_MS.least, ACT_MS.most), () => {
    if (!schedule.isDeleted) workOff(server, schedule);
  });
}

function futureTimes({ spec, doneUntil }: Schedule, count: number): object[] {
  const times: object[] = [];
  let at = nextTime(spec, doneUntil);
  while (at !== undefined && times.length < count) {
    times.push(toTimestamp(at));
    at = nextTime(spec, at);
  }
  return times;
}

function recentActions({ recent }: Schedule, count: number): object[] {
  return recent.slice(-count).map(({ scheduledAt, startedAt, workflowId, runId, status }) => ({
    scheduleTime: scheduledAt,
    actualTime: toTimestamp(startedAt),
    startWorkflowResult: { workflowId, runId },
    startWorkflowStatus: status,
  }));
}

function describe(schedules: Schedules, id: string | null | undefined): object {
  const schedule = schedules.byId.get(id ?? '');
  if (schedule?.isDeleted === true) throw notFound('schedule not found');
  const found = openSchedule(schedules, id);
  return {
    schedule: messageOf(found),
    info: infoOf(found),
    memo: { fields: found.memo },
    searchAttributes: { indexedFields: found.searchAttributes },
    conflictToken: token(found),
  };
}

function messageOf(schedule: Schedule): object {
  const { spec, action, overlap, catchUpMs, pauseOnFailure, remainingActions } = schedule;
  return {
    spec,
    action: { startWorkflow: action },
    policies: { overlapPolicy: overlap, catchupWindow: toDuration(catchUpMs), pauseOnFailure },
    state: {
      notes: schedule.notes,
      paused: schedule.isPaused,
      limitedActions: remainingActions !== undefined,
      remainingActions: toLong(remainingActions ?? 0),
    },
  };
}

function infoOf(schedule: Schedule): object {
  return {
    actionCount: toLong(schedule.actionCount),
    missedCatchupWindow: toLong(schedule.missedCatchUp),
    overlapSkipped: toLong(schedule.overlapSkipped),
    bufferDropped: toLong(schedule.bufferDropped),
    bufferSize: toLong(schedule.buffer.length),
    runningWorkflows: schedule.running,
    recentActions: recentActions(schedule, SHOWN_TIMES),
    futureActionTimes: futureTimes(schedule, SHOWN_TIMES),
    createTime: toTimestamp(schedule.createdAt),
    updateTime: schedule.updatedAt === undefined ? null : toTimestamp(schedule.updatedAt),
  };
}

/** Newest first. A new one is listed a little later. */
function list(server: Server, schedules: Schedules, request: List): object {
  const now = server.clock.now();
  const shown = [...schedules.byId.values()]
    .filter(
      ({ isDeleted, createdAt }) => !isDeleted && now - createdAt >= server.limits.visibilityLagMs,
    )
    .sort((a, b) => b.createdAt - a.createdAt);
  const from = Number(Buffer.from(request.nextPageToken ?? []).toString() || 0);
  const size = request.maximumPageSize || shown.length;
  const next = from + size;
  return {
    schedules: shown.slice(from, next).map(entryOf),
    nextPageToken: next < shown.length ? Buffer.from(String(next)) : new Uint8Array(),
  };
}

function entryOf(schedule: Schedule): object {
  return {
    scheduleId: schedule.scheduleId,
    memo: { fields: schedule.memo },
    searchAttributes: { indexedFields: schedule.searchAttributes },
    info: {
      spec: schedule.spec,
      workflowType: schedule.action.workflowType ?? null,
      notes: schedule.notes,
      paused: schedule.isPaused,
      recentActions: recentActions(schedule, LISTED_ACTIONS),
      futureActionTimes: futureTimes(schedule, LISTED_TIMES),
    },
  };
}
