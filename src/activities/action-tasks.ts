import { z } from 'zod';

import { listEnvelope, taskSchema } from '../contract/api/cloud.js';
import type { Place } from '../contract/wire/names.js';
import type { ActionTask } from '../contract/wire/tasks.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { isTerminal } from '../engine/core/tasks.js';
import { isoOf } from '../engine/core/times.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readInWindow } from '../engine/http/times-of-api.js';
import { readTasksOfType } from './tasks.js';

/** The fields of a task's `data` that say what it is about. `data` repeats the request; its layout is undocumented. */
const SUBJECT_FIELDS = {
  instance: ['instance_id', 'instance_uuid'],
  volume: ['volume_id'],
  'floating IP': ['floatingip_id', 'floating_ip_id'],
} as const;

/** What a task may be about. */
export interface TaskSubject {
  kind: keyof typeof SUBJECT_FIELDS;
  id: string;
}

/** A task that may have been started for the subject. */
export interface ActionTaskView {
  id: string;
  state: string;
  /** Left out when the task names no subject of this kind. */
  isOwn?: true;
  /** It was created a moment before the time that was asked for, as far as clocks can be compared. */
  mayBeOlder?: true;
}

export interface ActionTasksInput extends Place {
  of: TaskSubject;
  type: ActionTask;
  /** When the call may have been sent, in ISO 8601. The API compares whole seconds of the creation time. */
  from: string;
  to: string;
}

/** A history must stay small. Those that go on decide most. */
const MAX_UNCLEAR = 50;

/** How the call of a change is found again. */
export function createActionTaskActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * The tasks of this type that were created in this time, without those of other subjects.
       * `GET /cloud/v1/tasks?task_type=resize_vm`
       */
      listActionTasks: (input: ActionTasksInput): Promise<ActionTaskView[]> =>
        withPatientReads(api, async (reads) => {
          const window = { from: Date.parse(input.from), to: Date.parse(input.to) };
          const tasks = await readInWindow(reads, window, ({ from, to }) =>
            readTasksOfType(
              reads,
              { ...input, from: isoOf(from), to: isoOf(to) },
              subjectTaskListSchema,
            ),
          );
          const oldest = window.from + (api.clock.aheadMs() ?? 0) - CLOCKS_AGREE_MS;
          return ofSubject(tasks, input.of, oldest);
        }),
    },
  } satisfies ActivityGroups;
}

const FIELDS = Object.values(SUBJECT_FIELDS).flat();

/** One of them may be null, or of another form, beside the one that says it. */
const fieldSchema = z.string().optional().catch(undefined);
/** Keeps only what a task is about; drops the rest, which may hold secrets. */
const dataSchema = z
  .object(Object.fromEntries(FIELDS.map((field) => [field, fieldSchema])))
  .nullish()
  .catch(undefined);
const subjectTaskSchema = taskSchema.extend({ data: dataSchema });
const subjectTaskListSchema = listEnvelope(subjectTaskSchema);

function ofSubject(
  tasks: readonly z.infer<typeof subjectTaskSchema>[],
  { kind, id: wanted }: TaskSubject,
  oldest: number,
): ActionTaskView[] {
  const seen = tasks.map(({ id, state, data, created_on: created }) => ({
    of: SUBJECT_FIELDS[kind]
      .map((field) => data?.[field])
      .find((named) => named !== undefined && named !== ''),
    task: { id, state, ...(isBefore(created, oldest) && ({ mayBeOlder: true } as const)) },
  }));
  const own = seen.filter(({ of }) => of?.toLowerCase() === wanted);
  const unclear = seen
    .filter(({ of }) => of === undefined)
    .sort((a, b) => Number(isTerminal(a.task.state)) - Number(isTerminal(b.task.state)));
  return [
    ...own.map(({ task }) => ({ ...task, isOwn: true as const })),
    ...unclear.slice(0, MAX_UNCLEAR).map(({ task }) => task),
  ];
}

/** The API counts whole seconds, and its answers take some time. */
const CLOCKS_AGREE_MS = 5_000;

function isBefore(created: string | null | undefined, time: number): boolean {
  return created === undefined || created === null || Date.parse(created) < time;
}
