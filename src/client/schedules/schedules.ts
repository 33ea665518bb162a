import {
  ScheduleNotFoundError as NoSuchSchedule,
  type Client,
  type ScheduleDescription,
  type ScheduleHandle,
} from '@temporalio/client';
import { z } from 'zod';

import { labelsOfRun } from '../../contract/batch-items.js';
import type { Operations } from '../../contract/operations/index.js';
import type { Operation } from '../../contract/wire/names.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { searchableLabels, type Labels } from '../../engine/core/labels.js';
import { labelsSchema } from '../../engine/schema/labels.js';
import { ScheduleNotFoundError } from '../errors.js';
import { isOperation } from '../operations.js';
import { runnableInput, type ClearSecretsNow } from '../runnable-input.js';
import { GrpcCode, grpcCodeOf } from '../server-calls.js';
import { checkSchedule, type ScheduleRequest } from './check-schedule.js';
import { createSchedule, type CreatedSchedule } from './create-schedule.js';
import { timingOf, describeTiming } from './schedule-timing.js';
import { showSchedule, type ScheduleView } from './show-schedule.js';
import { triggerSchedule, type TriggeredRun } from './trigger-schedule.js';

/** One line of `list`. The server may show a change a moment later. */
export interface ScheduleSummary {
  scheduleId: string;
  operation: Operation;
  /** Such as `every day at 02:30, Europe/Berlin`. */
  timing: string;
  paused: boolean;
  nextAt: Date | undefined;
  lastRunAt: Date | undefined;
}

/**
 * Runs that start by themselves, by Temporal's Schedules. Each run is a request of its own: its id is
 * `<schedule id>-<time>`, so it has its own marker.
 * All but `create` and `list` throw ScheduleNotFoundError.
 */
export interface Schedules {
  /**
   * Makes a schedule. Safe to repeat with the same content.
   * @throws InvalidInputError with every fault of the schedule and its input, before anything is stored.
   * @throws ScheduleConflictError when the schedule exists with another content.
   */
  create<O extends keyof Operations>(
    operation: O,
    request: ScheduleRequest<O>,
  ): Promise<CreatedSchedule>;
  /**
   * The schedules of this product's operations, by their ids; with labels, those whose runs have all of these. That reads
   * each of them.
   */
  list(filter?: { labels?: Labels }): Promise<ScheduleSummary[]>;
  /** A schedule with its next times, its last runs with their ends, and what it has left out. */
  show(scheduleId: string): Promise<ScheduleView>;
  /** Starts nothing until `resume`. Open runs continue. */
  pause(scheduleId: string, reason?: string): Promise<void>;
  resume(scheduleId: string): Promise<void>;
  /** Starts a run now, also while paused. An open run counts as for any other run of the schedule. */
  trigger(scheduleId: string): Promise<TriggeredRun>;
  /** Open runs continue. */
  delete(scheduleId: string): Promise<void>;
}

interface ScheduleDeps {
  client: Client;
  taskQueue: string;
  clearSecrets: ClearSecretsNow;
  /** Who asks: the note of a schedule names the last one. */
  by: string;
}

export function createSchedules(deps: ScheduleDeps): Schedules {
  const { client, clearSecrets, by } = deps;
  const withFound = <T>(scheduleId: string, use: (found: Found) => Promise<T>): Promise<T> =>
    withSchedule(client, scheduleId, use);
  return {
    async create(operation, request) {
      const checked = { ...request, clearSecrets: await clearSecrets(operation, request.input) };
      return createSchedule(deps, checkSchedule(operation, checked));
    },

    async list({ labels } = {}) {
      const schedules = await listSchedules(client);
      return labels === undefined ? schedules : withLabels(client, schedules, labels);
    },

    show: (scheduleId) =>
      withFound(scheduleId, ({ operation, schedule }) => showSchedule(client, operation, schedule)),

    pause: (scheduleId, reason) => {
      const note = reason === undefined ? `paused by ${by}` : `${reason} (paused by ${by})`;
      return withFound(scheduleId, ({ handle }) => handle.pause(note));
    },

    resume: (scheduleId) =>
      withFound(scheduleId, ({ handle }) => handle.unpause(`resumed by ${by}`)),

    trigger: (scheduleId) => withFound(scheduleId, () => triggerSchedule(client, scheduleId)),

    delete: (scheduleId) => withFound(scheduleId, ({ handle }) => handle.delete()),
  };
}

interface Found {
  handle: ScheduleHandle;
  schedule: ScheduleDescription;
  operation: Operation;
}

/** The schedule of another product counts as none: nobody may delete it by mistake. */
async function withSchedule<T>(
  client: Client,
  scheduleId: string,
  use: (found: Found) => Promise<T>,
): Promise<T> {
  const handle = client.schedule.getHandle(scheduleId);
  try {
    const schedule = await handle.describe();
    const operation = schedule.action.workflowType;
    if (!isOperation(operation)) throw new ScheduleNotFoundError(scheduleId);
    return await use({ handle, schedule, operation });
  } catch (error) {
    const isGone = error instanceof NoSuchSchedule || grpcCodeOf(error) === GrpcCode.notFound;
    throw isGone ? new ScheduleNotFoundError(scheduleId) : error;
  }
}

async function listSchedules(client: Client): Promise<ScheduleSummary[]> {
  const schedules: ScheduleSummary[] = [];
  for await (const { scheduleId, action, memo, state, info } of client.schedule.list()) {
    const operation = action?.workflowType;
    if (!isOperation(operation)) continue;
    const timing = timingOf(memo);
    schedules.push({
      scheduleId,
      operation,
      timing: timing === undefined ? 'set by another tool' : describeTiming(timing),
      paused: state.paused,
      nextAt: state.paused ? undefined : info.nextActionTimes[0],
      lastRunAt: info.recentActions.at(-1)?.takenAt,
    });
  }
  return schedules.sort((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1));
}

const READ_AT_ONCE = 10;

async function withLabels(
  client: Client,
  schedules: readonly ScheduleSummary[],
  labels: Labels,
): Promise<ScheduleSummary[]> {
  const wanted = searchableLabels(labels);
  const fits = async ({ scheduleId }: ScheduleSummary): Promise<boolean> => {
    const has = new Set(searchableLabels(await labelsOf(client, scheduleId)));
    return wanted.every((label) => has.has(label));
  };
  const fitting: ScheduleSummary[] = [];
  for (const some of chunksOf(schedules, READ_AT_ONCE)) {
    const areFit = await Promise.all(some.map(fits));
    fitting.push(...some.filter((_, at) => areFit[at]));
  }
  return fitting;
}

/** Those of the runs that it starts: a batch has a group that its input may not name. None for one that has been deleted since. */
async function labelsOf(client: Client, scheduleId: string): Promise<Labels> {
  try {
    const { action } = await client.schedule.getHandle(scheduleId).describe();
    const input: unknown = action.args?.[0];
    const { workflowType: operation } = action;
    const parsed = isOperation(operation) ? runnableInput(operation, input, 'allow') : undefined;
    const labels = parsed?.ok ? labelsOfRun(parsed.value, '') : labelledSchema.parse(input).labels;
    return labels ?? {};
  } catch (error) {
    if (error instanceof NoSuchSchedule) return {};
    throw error;
  }
}

/** Of whatever input another tool may have stored. */
const labelledSchema = z
  .object({ labels: labelsSchema.optional().catch(undefined) })
  .catch({ labels: undefined });
