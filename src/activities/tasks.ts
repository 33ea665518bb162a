import { z } from 'zod';

import { paths } from '../contract/api/paths.js';
import { listEnvelope } from '../contract/api/common.js';
import { taskListSchema, taskSchema, type Task } from '../contract/api/task.js';
import { classifyTaskError, type TaskErrorType } from '../contract/task-error.js';
import { TaskState } from '../contract/task-state.js';
import type { Place } from '../contract/place.js';
import type { ActivityGroups } from './activity-groups.js';
import type { ApiClient } from './http/api-client.js';
import { LIST_LIMIT } from './cloud-list.js';
import { withoutSecrets, type SecretsOfRun } from './task-secrets.js';

/** What a run needs to know about a task. Never `data`: it echoes the request, with passwords. */
export interface TaskView {
  id: string;
  type: string;
  state: string;
  error: string | undefined;
  /** Class of the whole error text, of which a part may be redacted; missing without a text. */
  errorType?: TaskErrorType;
  created: {
    instances: string[];
    volumes: string[];
    floatingIps: string[];
    /** Missing when there are none. */
    ddosProfiles?: number[];
  };
}

/** The reads of a watcher, with the error texts as they are. `since`: only tasks created at or after this time. */
export interface TaskReads {
  getTask(input: { taskId: string }): Promise<TaskView>;
  listActiveTaskIds(): Promise<string[]>;
  listEndedTasks(input: { since: number }): Promise<TaskView[]>;
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
      async hasActiveTasks(input: ActiveTasksInput): Promise<boolean> {
        const { results } = await api.request({
          method: 'GET',
          path: paths.tasks(),
          query: {
            project_id: String(input.projectId),
            region_id: String(input.regionId),
            state: [TaskState.new, TaskState.running],
            from_timestamp: input.from,
            limit: LIST_LIMIT,
            order_by: 'asc',
          },
          response: taskListSchema,
          isLarge: true,
          repeatable: true,
        });
        return results.some(({ task_type: type }) => input.types.includes(type));
      },

      /**
       * Tasks of create calls that may belong to a lost answer: created in this time, and for
       * an instance of this name, if it has one. Without their error texts, which may hold secrets of
       * other runs. `GET /cloud/v1/tasks?task_type=create_vm`
       */
      async listCreateTasks(input: CreateTasksInput): Promise<TaskView[]> {
        const { results } = await api.request({
          method: 'GET',
          path: paths.tasks(),
          query: {
            project_id: String(input.projectId),
            region_id: String(input.regionId),
            task_type: 'create_vm',
            from_timestamp: input.from,
            to_timestamp: input.to,
            limit: LIST_LIMIT,
            order_by: 'asc',
          },
          response: namedTaskListSchema,
          isLarge: true,
          repeatable: true,
        });
        return results
          .filter(({ data }) => input.name === undefined || data?.name === input.name)
          .map((task) => toView({ ...task, error: undefined }));
      },
    },
  } satisfies ActivityGroups;
}

export interface ActiveTasksInput extends Place {
  types: readonly string[];
  /** ISO 8601. */
  from: string;
}

export interface CreateTasksInput extends Place {
  name: string | undefined;
  /** ISO 8601. The API compares whole seconds of the creation time. */
  from: string;
  to: string;
}

/** Keeps the one field of `data` that tells tasks apart; drops the rest, passwords above all. */
const namedTaskListSchema = listEnvelope(
  taskSchema.extend({ data: z.object({ name: z.string() }).partial().nullish().catch(undefined) }),
);

const MAX_PAGES = 20;

/** The reads of a task watcher: `GET /cloud/v1/tasks`, all projects and regions of the account. */
export function createTaskReads({ api }: { api: ApiClient }): TaskReads {
  const list = async (query: Record<string, string | readonly string[]>): Promise<TaskView[]> => {
    const tasks: Task[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
      const { count, results } = await api.request({
        method: 'GET',
        path: paths.tasks(),
        query: { ...query, limit: LIST_LIMIT, offset: page * LIST_LIMIT, order_by: 'asc' },
        response: taskListSchema,
        isLarge: true,
        repeatable: true,
      });
      tasks.push(...results);
      if (results.length < LIST_LIMIT || tasks.length >= count) break;
    }
    return tasks.map(toView);
  };
  return {
    getTask: ({ taskId }) => readTask(api, taskId),
    async listActiveTaskIds() {
      const tasks = await list({ state: [TaskState.new, TaskState.running] });
      return tasks.map((task) => task.id);
    },
    listEndedTasks: ({ since }) =>
      list({
        state: [TaskState.finished, TaskState.error],
        from_timestamp: new Date(since).toISOString(),
      }),
  };
}

async function readTask(api: ApiClient, taskId: string): Promise<TaskView> {
  const path = paths.task(taskId);
  // A task repeats its request and may have an error of any length.
  const request = { method: 'GET', path, isLarge: true, repeatable: true } as const;
  return toView(await api.request({ ...request, response: taskSchema }));
}

function toView(task: Task): TaskView {
  const { instances, volumes, floatingips, ddos_profiles: ddosProfiles } = task.created_resources;
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
      ...(ddosProfiles.length === 0 ? {} : { ddosProfiles }),
    },
  };
}
