import { taskSchema, type Task } from '../contract/api/task.js';
import type { ApiClient } from './http/api-client.js';

/** What a run needs to know of a task. Never `data`: it echoes the request, passwords included. */
export interface TaskView {
  id: string;
  type: string;
  state: string;
  error: string | undefined;
  created: { instances: string[]; volumes: string[]; floatingIps: string[] };
}

export function createTaskActivities({ api }: { api: ApiClient }) {
  return {
    /** `GET /cloud/v1/tasks/{task_id}`. Fails as `NotFound` when the API no longer knows the task. */
    async getTask({ taskId }: { taskId: string }): Promise<TaskView> {
      const path = `/cloud/v1/tasks/${taskId}`;
      return toView(
        await api.request({ method: 'GET', path, response: taskSchema, repeatable: true }),
      );
    },
  };
}

function toView(task: Task): TaskView {
  const { instances, volumes, floatingips } = task.created_resources;
  return {
    id: task.id,
    type: task.task_type,
    state: task.state,
    error: task.error ?? undefined,
    created: { instances, volumes, floatingIps: floatingips },
  };
}
