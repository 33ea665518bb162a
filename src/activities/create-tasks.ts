import { z } from 'zod';

import {
  listEnvelope,
  instanceListSchema,
  instanceSchema,
  taskSchema,
} from '../contract/api/cloud.js';
import { paths } from '../contract/wire/paths.js';
import { isoOf } from '../engine/core/times.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import { isTerminal } from '../engine/core/tasks.js';
import { CREATE_INSTANCE_TASKS, MAKE_TASKS, type MakeTask } from '../contract/wire/tasks.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { getOne, unlessNotFound } from './cloud-calls.js';
import { readAllRows, tagOf } from './cloud-list.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { readInWindow } from '../engine/http/times-of-api.js';
import { earlierProgress, keepProgress } from '../engine/activities/attempt.js';
import { readTasksOfType, toTaskView, type TaskView } from './tasks.js';

export interface CreateTasksInput extends Place {
  name: string | undefined;
  /** When the call may have been sent, in ISO 8601. The API compares whole seconds of the creation time. */
  from: string;
  to: string;
  /** The tags that the run sets. */
  marker: string;
  maker: string;
}

export interface CreateTaskView extends TaskView {
  /** The task repeats both tags of this run. Whether the API does that is undocumented. */
  isOfRun?: true;
}

/** A search for the task of a call that makes one thing. */
export interface MakeTasksInput extends Omit<CreateTasksInput, 'name'> {
  type: MakeTask;
  /** Of the thing. */
  name: string;
  /** The volume that it is made of, if it is. */
  volumeId?: string | undefined;
}

export interface MakeTaskView {
  id: string;
  state: string;
  /** The task repeats both tags of this run. */
  isOfRun?: true;
  /** The ids of the things that it says it has made. */
  created: string[];
}

/** With more, the workflow gets only what can be of its run: a history must stay small. */
const MAX_WHOLE = 50;

export function createCreateTaskActivities({ api }: { api: ApiClient }) {
  return {
    reads: {
      /**
       * Tasks of create calls that may belong to a lost answer: created in this time, without those that say
       * that they are for an instance of another name. Without their error texts, which may hold secrets of other runs. Where a
       * task repeats the tags of its call, they say whether this run has sent it.
       * Of more than 50, only those that this run may have sent, and one that has not ended, or does not say what it has made,
       * stands for all of these. `GET /cloud/v1/tasks?task_type=create_vm`, and again for
       * `create_basic_vm`: the list takes one type
       */
      listCreateTasks: (input: CreateTasksInput): Promise<CreateTaskView[]> =>
        withPatientReads(api, async (reads) => {
          const recorded = { from: Date.parse(input.from), to: Date.parse(input.to) };
          const tasks = await readInWindow(reads, recorded, ({ from, to }) =>
            listTasks(reads, { ...input, from: isoOf(from), to: isoOf(to) }),
          );
          if (tasks.length <= MAX_WHOLE) return tasks;
          return leaveOutOthers(tasks, await findForeign(reads, input, tasks));
        }),

      /**
       * Tasks that may be of a lost call which makes one thing: created in this time, without those that say that they are of
       * another name, volume or request. At most 50: of this run first, then those that go on, then those that say what they
       * made. The run reads what each has made, once, so more would cost it hundreds of reads in the seconds that a search may
       * take; what is left out then shows by its marker in the list of the things.
       * `GET /cloud/v1/tasks?task_type=create_volume`
       */
      listMakeTasks: (input: MakeTasksInput): Promise<MakeTaskView[]> =>
        withPatientReads(api, async (reads) => {
          const recorded = { from: Date.parse(input.from), to: Date.parse(input.to) };
          const tasks = await readInWindow(reads, recorded, ({ from, to }) => {
            const window = { ...input, from: isoOf(from), to: isoOf(to) };
            return readTasksOfType(reads, window, namedTaskListSchema);
          });
          return tasks
            .filter(({ data }) => !isOfAnother(data ?? {}, input))
            .map((task) => toMakeTask(task, input))
            .sort((a, b) => rankOf(a) - rankOf(b))
            .slice(0, MAX_WHOLE);
        }),
    },
  } satisfies ActivityGroups;
}

async function listTasks(reads: ApiClient, input: CreateTasksInput): Promise<CreateTaskView[]> {
  const found: NamedTask[] = [];
  for (const type of CREATE_INSTANCE_TASKS) {
    found.push(...(await readTasksOfType(reads, { ...input, type }, namedTaskListSchema)));
  }
  return found
    .filter(({ data }) => !saysAnother(data?.name, input.name))
    .map((task) => ({
      ...toTaskView({ ...task, error: undefined }),
      ...(isOfRun(task.data?.tags, input) && ({ isOfRun: true } as const)),
    }));
}

function leaveOutOthers(
  tasks: readonly CreateTaskView[],
  foreign: ReadonlySet<string>,
): CreateTaskView[] {
  const mayBeOwn = tasks.filter(
    ({ isOfRun: isOwn, created }) =>
      isOwn === true || created.instances.some((id) => !foreign.has(id)),
  );
  const isOpen = ({ state }: CreateTaskView): boolean => !isTerminal(state);
  const isSilent = ({ created }: CreateTaskView): boolean => created.instances.length === 0;
  const unproven = mayBeOwn.some(isOpen) ? undefined : (tasks.find(isOpen) ?? tasks.find(isSilent));
  const none = { instances: [], volumes: [], floatingIps: [] };
  return unproven === undefined ? mayBeOwn : [...mayBeOwn, { ...unproven, created: none }];
}

/** Of the same input, an earlier attempt has found these. */
const progressSchema = z.object({ foreign: z.array(z.string()) });

/** The instances of these tasks that are gone, or have another marker or none: in a list, or else read one by one. */
async function findForeign(
  reads: ApiClient,
  place: Place & { marker: string },
  tasks: readonly TaskView[],
): Promise<ReadonlySet<string>> {
  const earlier = earlierProgress(progressSchema)?.foreign ?? [];
  const unlisted = new Set(earlier);
  keepProgress(() => ({ foreign: [...unlisted] }));
  const path = paths.instances(place);
  const listed = await readAllRows(reads, { path, response: instanceListSchema });
  const markers = new Map(listed.map((row) => [row.id, tagOf(row, MARKER_TAG)]));
  const foreign = new Set<string>();
  for (const id of tasks.flatMap(({ created }) => created.instances)) {
    const isKnown = markers.has(id) || unlisted.has(id);
    const marker = isKnown ? markers.get(id) : await readMarker(reads, place, id);
    if (marker === place.marker) continue;
    foreign.add(id);
    if (!markers.has(id)) unlisted.add(id);
  }
  return foreign;
}

/** `undefined` also when the instance is gone. */
async function readMarker(reads: ApiClient, place: Place, id: string): Promise<string | undefined> {
  const instance = await unlessNotFound(getOne(reads, paths.instance(place, id), instanceSchema));
  return instance && tagOf(instance, MARKER_TAG);
}

function isOfAnother(
  { name, tags, volume_id: volumeId }: NonNullable<NamedTask['data']>,
  wanted: MakeTasksInput,
): boolean {
  const marker = tags?.[MARKER_TAG];
  return (
    saysAnother(name, wanted.name) ||
    (marker !== undefined && marker !== wanted.marker) ||
    saysAnother(volumeId?.toLowerCase(), wanted.volumeId)
  );
}

/** What a task does not say may be anybody's. */
function saysAnother(said: string | undefined, wanted: string | undefined): boolean {
  return Boolean(said) && wanted !== undefined && said !== wanted;
}

function toMakeTask(task: NamedTask, input: MakeTasksInput): MakeTaskView {
  const { snapshots, volumes } = task.created_resources;
  return {
    id: task.id,
    state: task.state,
    ...(isOfRun(task.data?.tags, input) && ({ isOfRun: true } as const)),
    created: input.type === MAKE_TASKS.snapshot ? snapshots : volumes,
  };
}

/** What is read first: those of the run, those that go on, those that say what they made, and the rest. */
function rankOf({ isOfRun: isOwn, state, created }: MakeTaskView): number {
  if (isOwn === true) return 0;
  if (!isTerminal(state)) return 1;
  return created.length > 0 ? 2 : 3;
}

/** A map, as in a request, or a list, as in an answer. */
const tagsSchema = z.union([
  z.record(z.string(), z.unknown()),
  z
    .array(z.object({ key: z.string(), value: z.unknown() }))
    .transform((tags) => Object.fromEntries(tags.map(({ key, value }) => [key, value]))),
]);

/** Keeps the fields of `data` that tell tasks apart; drops the rest, passwords above all. */
const dataSchema = z
  .object({
    name: z.string().catch(''),
    tags: tagsSchema.optional().catch(undefined),
    volume_id: z.string().optional().catch(undefined),
  })
  .partial()
  .nullish()
  .catch(undefined);

const namedTaskSchema = taskSchema.extend({ data: dataSchema });
type NamedTask = z.infer<typeof namedTaskSchema>;
const namedTaskListSchema = listEnvelope(namedTaskSchema);

function isOfRun(
  tags: Record<string, unknown> = {},
  { marker, maker }: Pick<CreateTasksInput, 'marker' | 'maker'>,
): boolean {
  return tags[MARKER_TAG] === marker && tags[MAKER_TAG] === maker;
}
