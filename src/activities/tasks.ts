import {
  TaskState,
  type TaskView as EngineTaskView,
  type TaskReads,
} from '../engine/core/tasks.js';
import { paths } from '../contract/wire/paths.js';
import { taskIdListSchema, taskListSchema, taskSchema, type Task } from '../contract/api/cloud.js';
import { classifyTaskError } from '../contract/wire/tasks.js';
import { isoOf } from '../engine/core/times.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { readPatiently, withPatientReads } from '../engine/http/patient-reads.js';
import { readInWindow } from '../engine/http/times-of-api.js';
import { LIST_LIMIT, readAllRows, readRows, type CloudList } from './cloud-list.js';
import { withoutSecrets, type SecretsOfRun } from './task-secrets.js';

/** What a run needs to know about a task. Never `data`: it echoes the request, with passwords. */
export type TaskView = EngineTaskView<CreatedResources>;

/** What a task says that it has made. */
export interface CreatedResources {
  instances: string[];
  volumes: string[];
  floatingIps: string[];
  /** Missing when there are none. */
  snapshots?: string[];
  /** Missing when there are none. */
  ddosProfiles?: number[];
  /** Of other kinds, by their names in the API. Missing when there are none. */
  others?: Record<string, string[]>;
}

export interface TaskDeps {
  api: ApiClient;
  secretsOfRun: SecretsOfRun;
}

export function createTaskActivities({ api, secretsOfRun }: TaskDeps) {
  return {
    reads: {
      /** `GET /cloud/v1/tasks/{task_id}`. Fails as `NotFound` when the API no longer knows the task. */
      async getTask({ taskId }: { taskId: string }): Promise<TaskView> {
        return withoutSecrets(await readTask(api, taskId), secretsOfRun);
      },

      /**
       * Whether a task of one of these types, created since `from`, has not ended. The subject of such a
       * task is undocumented: it may be anybody's. `GET /cloud/v1/tasks?state=NEW&state=RUNNING`
       */
      hasActiveTasks: (input: ActiveTasksInput): Promise<boolean> =>
        withPatientReads(api, (reads) => {
          const at = Date.parse(input.from);
          return readInWindow(reads, { from: at, to: at }, ({ from }) =>
            findActive(reads, { ...input, from: isoOf(from) }),
          );
        }),
    },
  } satisfies ActivityGroups;
}

async function findActive(
  reads: ApiClient,
  { projectId, regionId, types, from }: ActiveTasksInput,
): Promise<boolean> {
  const list = {
    path: paths.tasks(),
    query: {
      project_id: String(projectId),
      region_id: String(regionId),
      state: [TaskState.new, TaskState.running],
      from_timestamp: from,
      order_by: 'asc',
    },
    response: taskListSchema,
  };
  const isWanted = ({ task_type: type }: Task): boolean => types.includes(type);
  const { rows, isWhole } = await readRows(reads, list);
  if (isWhole || rows.some(isWanted)) return rows.some(isWanted);
  // While pages are read, tasks end and the others move up: one of them could be missed.
  for (const type of types) {
    const query = { ...list.query, task_type: type };
    if ((await readAllRows(reads, { ...list, query })).some(isWanted)) return true;
  }
  return false;
}

export interface ActiveTasksInput extends Place {
  types: readonly string[];
  /** When the first call may have been sent, in ISO 8601. */
  from: string;
}

/**
 * A page that fails for a moment is repeated. With more, it would take minutes until the watcher knows that
 * the list cannot be read, because it tries a list three times.
 */
const LIST_FAILS_MS = 2_000;

/** The reads of a task watcher: `GET /cloud/v1/tasks`, all projects and regions of the account. */
export function createTaskReads({ api }: { api: ApiClient }): TaskReads<TaskView> {
  const list = <T>(query: TaskQuery, response: CloudList<T>['response']) =>
    readPatiently(
      api,
      (reads) =>
        readAllRows(reads, {
          path: paths.tasks(),
          query: { ...query, order_by: 'asc' },
          response,
        }),
      { unansweredMs: LIST_FAILS_MS },
    );
  return {
    pageSize: LIST_LIMIT,
    getTask: ({ taskId }) => readTask(api, taskId),
    async listActiveTaskIds() {
      const tasks = await list({ state: [TaskState.new, TaskState.running] }, taskIdListSchema);
      return tasks.map((task) => task.id);
    },
    listEndedTasks: ({ since }) =>
      readInWindow(api, { from: since, to: since }, async ({ from }) => {
        const query = { state: ENDED, from_timestamp: isoOf(from) };
        return (await list(query, taskListSchema)).map(toTaskView);
      }),
  };
}

type TaskQuery = Record<string, string | readonly string[]>;
const ENDED = [TaskState.finished, TaskState.error];

/** Fails as `NotFound` when the API no longer knows the task. */
export async function readTask(api: ApiClient, taskId: string): Promise<TaskView> {
  const path = paths.task(taskId);
  // A task repeats its request and may have an error of any length.
  const request = { method: 'GET', path, isLarge: true, repeatable: true } as const;
  return toTaskView(await api.request({ ...request, response: taskSchema }));
}

export interface TasksOfType extends Place {
  type: string;
  /** When they were created, in ISO 8601. The API compares whole seconds. */
  from: string;
  to: string;
}

/**
 * The tasks of one type that were created in this time, with what `response` keeps of each. Compares the type itself: an
 * API that ignores the filter lists others too. `GET /cloud/v1/tasks?task_type=`
 */
export async function readTasksOfType<T extends Pick<Task, 'task_type'>>(
  reads: ApiClient,
  { projectId, regionId, type, from, to }: TasksOfType,
  response: CloudList<T>['response'],
): Promise<T[]> {
  const query = {
    project_id: String(projectId),
    region_id: String(regionId),
    task_type: type,
    from_timestamp: from,
    to_timestamp: to,
    order_by: 'asc',
  };
  const tasks = await readAllRows(reads, { path: paths.tasks(), query, response });
  return tasks.filter(({ task_type: listed }) => listed === type);
}

export function toTaskView(task: Task): TaskView {
  const created = task.created_resources;
  const { instances, volumes, floatingips, snapshots, ddos_profiles: ddosProfiles } = created;
  const { others } = created;
  return {
    id: task.id,
    type: task.task_type,
    state: task.state,
    error: task.error ?? undefined,
    ...(typeof task.error === 'string' && { errorType: classifyTaskError(task.error) }),
    created: {
      instances,
      volumes,
      floatingIps: floatingips,
      ...(snapshots.length === 0 ? {} : { snapshots }),
      ...(ddosProfiles.length === 0 ? {} : { ddosProfiles }),
      ...(Object.keys(others).length === 0 ? {} : { others }),
    },
  };
}
