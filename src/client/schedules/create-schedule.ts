import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError as NoSuchSchedule,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';

import { labelsOfRun } from '../../contract/batch-items.js';
import { AskedFor } from '../../engine/core/identity.js';
import type { Labels } from '../../engine/core/labels.js';
import { Urgency } from '../../engine/core/names.js';
import type { Operations } from '../../contract/operations/index.js';
import { InvalidInputError, ScheduleConflictError } from '../errors.js';
import { contentOf } from '../../contract/intent.js';
import { differingPaths } from '../intent.js';
import { labelAttributes, startOptions } from '../start-once.js';
import { GrpcCode, grpcCodeOf } from '../server-calls.js';
import type { CheckedSchedule } from './check-schedule.js';
import { timingOf, toMemo, toSpec, type Timing } from './schedule-timing.js';
import { OVERLAPS } from './schedule-policies.js';

export interface CreatedSchedule {
  scheduleId: string;
  /** `existed`: the same schedule was there before. Nothing was changed, also not whether it is paused. */
  outcome: 'created' | 'existed';
}

export async function createSchedule<O extends keyof Operations>(
  { client, taskQueue }: { client: Client; taskQueue: string },
  schedule: CheckedSchedule<O>,
): Promise<CreatedSchedule> {
  const { scheduleId } = schedule;
  for (;;) {
    if (await tryCreate(client, taskQueue, schedule)) return { scheduleId, outcome: 'created' };
    const existing = await describe(client, scheduleId);
    // It has been deleted since.
    if (existing === undefined) continue;
    const paths = differences(existing, schedule);
    if (paths.length > 0) throw new ScheduleConflictError(scheduleId, paths);
    return { scheduleId, outcome: 'existed' };
  }
}

/** False when a schedule with this id exists. */
async function tryCreate<O extends keyof Operations>(
  client: Client,
  taskQueue: string,
  schedule: CheckedSchedule<O>,
): Promise<boolean> {
  // The group of a batch that names none has the time of its start, so it has that only once a worker takes it.
  const labels = labelsOfRun(schedule.input, '');
  const options = optionsOf(taskQueue, schedule);
  try {
    if (labels === undefined) await client.schedule.create(options);
    else await createLabelled(client, options, labels);
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    // So the SDK says that the server refuses the times.
    throw error instanceof TypeError ? refusedTiming(error, schedule) : error;
  }
}

function optionsOf<O extends keyof Operations>(taskQueue: string, schedule: CheckedSchedule<O>) {
  const { scheduleId, workflowId, timing, overlap, catchUpMs, paused } = schedule;
  // A value of its own: the type of the SDK lacks the priority, which the SDK sends all the same.
  const action = {
    type: 'startWorkflow' as const,
    workflowType: schedule.operation,
    workflowId,
    taskQueue,
    ...startOptions({
      ...schedule,
      requestId: scheduleId,
      startedBy: { by: `schedule:${scheduleId}`, as: AskedFor.start },
    }),
  };
  return {
    scheduleId,
    action,
    spec: toSpec(timing),
    policies: { overlap: OVERLAPS[overlap], catchupWindow: catchUpMs },
    state: { paused },
    memo: toMemo(timing),
  };
}

async function createLabelled(
  client: Client,
  options: ReturnType<typeof optionsOf>,
  labels: Labels,
): Promise<void> {
  const action = { ...options.action, typedSearchAttributes: labelAttributes(labels) };
  try {
    await client.schedule.create({ ...options, action });
  } catch (error) {
    // So a namespace without this search attribute answers. Nothing was stored.
    if (grpcCodeOf(error) !== GrpcCode.invalidArgument) throw error;
    await client.schedule.create(options);
  }
}

/** The server knows the fields of a cron line and its own time zones. */
function refusedTiming({ message }: Error, { timing }: { timing: Timing }): InvalidInputError {
  const path = 'cron' in timing ? 'cron' : 'at' in timing ? 'zone' : 'every';
  return new InvalidInputError([
    { path, message: `is refused by the Temporal server: ${message}` },
  ]);
}

async function describe(
  client: Client,
  scheduleId: string,
): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof NoSuchSchedule) return undefined;
    throw error;
  }
}

/** Where an existing schedule differs from a wanted one. Its state, paused or not, does not count. */
function differences<O extends keyof Operations>(
  { action, policies, memo, info }: ScheduleDescription,
  wanted: CheckedSchedule<O>,
): string[] {
  const timing = timingOf(memo);
  if (timing === undefined || info.lastUpdatedAt !== undefined) return ['(another tool made it)'];
  if (action.workflowType !== wanted.operation) return ['operation'];
  const input: unknown = action.args?.[0];
  const content = (value: unknown) => contentOf(wanted.operation, value);
  const priorityKey = action.priority?.priorityKey ?? Urgency.normal;
  return [
    ...differingPaths(timing, wanted.timing),
    ...differingPaths(
      { overlap: policies.overlap, catchUp: policies.catchupWindow, urgency: priorityKey },
      {
        overlap: OVERLAPS[wanted.overlap],
        catchUp: wanted.catchUpMs,
        urgency: wanted.priorityKey,
      },
    ),
    ...differingPaths(content(input), content(wanted.input)),
  ];
}
