import { z } from 'zod';

const createdSchema = z.object({ tasks: z.array(z.string()).min(1) });
const taskSchema = z.object({
  state: z.string(),
  created_resources: z.object({ instances: z.array(z.string()) }).nullable(),
});
const instanceSchema = z.object({ id: z.string() });

/** Activities without the safeguards of the product: they throw every error, and Temporal retries. */
export function createNaiveActivities(api: { baseUrl: string; apiKey: string }) {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${api.baseUrl}${path}`, {
      method,
      headers: { authorization: `apikey ${api.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response.json();
  };
  return {
    async createInstance(body: unknown): Promise<string> {
      const created = createdSchema.parse(await call('POST', '/cloud/v2/instances/1/1', body));
      return created.tasks.join();
    },
    async getTask(id: string): Promise<{ state: string; instanceId: string }> {
      const task = taskSchema.parse(await call('GET', `/cloud/v1/tasks/${id}`));
      return { state: task.state, instanceId: (task.created_resources?.instances ?? []).join() };
    },
    async getInstance(id: string): Promise<string> {
      return instanceSchema.parse(await call('GET', `/cloud/v1/instances/1/1/${id}`)).id;
    },
    async listKeys(): Promise<unknown> {
      return call('GET', '/storage/v4/ssh_keys?limit=1000&offset=0');
    },
  };
}

export type NaiveActivities = ReturnType<typeof createNaiveActivities>;
