import { z } from 'zod';

import { listEnvelope, taskSchema } from '../contract/api/cloud.js';
import type { Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { InstanceActionTask } from '../contract/wire/tasks.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { isTerminal } from '../engine/core/tasks.js';
import { isoOf } from '../engine/core/times.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readInWindow } from '../engine/http/times-of-api.js';
import { change } from './cloud-calls.js';
import { readTasksOfType } from './tasks.js';

export interface InstanceTarget extends Place {
  instanceId: string;
}

/** A task that may have been started for an instance. */
export interface InstanceTaskView {
  id: string;
  state: string;
  /** Left out when the task names no instance. */
  isOfInstance?: true;
  /** It was created a moment before the time that was asked for, as far as clocks can be compared. */
  mayBeOlder?: true;
}

export interface InstanceTasksInput extends InstanceTarget {
  type: InstanceActionTask;
  /** When the call may have been sent, in ISO 8601. The API compares whole seconds of the creation time. */
  from: string;
  to: string;
}

/** A history must stay small. Those that go on decide most. */
const MAX_UNCLEAR = 50;

/** What changes an instance that exists, and how such a change is found again. */
export function createInstanceActionActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * The tasks of this type that were created in this time, without those of other instances. `data` repeats
       * the request, and its layout is undocumented. `GET /cloud/v1/tasks?task_type=resize_vm`
       */
      listInstanceTasks: (input: InstanceTasksInput): Promise<InstanceTaskView[]> =>
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
          return ofInstance(tasks, { ...input, oldest });
        }),
    },
    mutations: {
      /** `POST /cloud/v1/instances/…/{instance_id}/changeflavor`. One attempt: see engine/send/change-once. */
      resizeInstance: ({ instanceId, flavor, ...place }: InstanceTarget & { flavor: string }) =>
        change(api, {
          method: 'POST',
          path: paths.changeFlavor(place, instanceId),
          body: { flavor_id: flavor },
        }),

      /** `POST /cloud/v2/instances/…/{instance_id}/action`. One attempt: see engine/send/change-once. */
      setInstancePower: ({ instanceId, action, ...place }: InstanceTarget & { action: string }) =>
        change(api, {
          method: 'POST',
          path: paths.instanceAction(place, instanceId),
          body: { action },
        }),
    },
  } satisfies ActivityGroups;
}

/** Keeps only which instance a task is about; drops the rest, which may hold secrets. */
const dataSchema = z
  .object({ instance_id: z.string().optional(), instance_uuid: z.string().optional() })
  .nullish()
  .catch(undefined);
const subjectTaskSchema = taskSchema.extend({ data: dataSchema });
const subjectTaskListSchema = listEnvelope(subjectTaskSchema);

function ofInstance(
  tasks: readonly z.infer<typeof subjectTaskSchema>[],
  { instanceId, oldest }: InstanceTarget & { oldest: number },
): InstanceTaskView[] {
  const seen = tasks.map(({ id, state, data, created_on: created }) => ({
    of: data?.instance_id ?? data?.instance_uuid,
    task: { id, state, ...(isBefore(created, oldest) && ({ mayBeOlder: true } as const)) },
  }));
  const own = seen.filter(({ of }) => of?.toLowerCase() === instanceId);
  const unclear = seen
    .filter(({ of }) => of === undefined)
    .sort((a, b) => Number(isTerminal(a.task.state)) - Number(isTerminal(b.task.state)));
  return [
    ...own.map(({ task }) => ({ ...task, isOfInstance: true as const })),
    ...unclear.slice(0, MAX_UNCLEAR).map(({ task }) => task),
  ];
}

/** The API counts whole seconds, and its answers take some time. */
const CLOCKS_AGREE_MS = 5_000;

function isBefore(created: string | null | undefined, time: number): boolean {
  return created === undefined || created === null || Date.parse(created) < time;
}
