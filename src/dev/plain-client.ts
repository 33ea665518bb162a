import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { instanceListSchema, taskIdsSchema } from '../contract/api/cloud.js';
import type { CreateInstanceBody } from '../contract/api/create-instance-body.js';

const POLL_MS = 500;

const taskSchema = z.object({ state: z.string() });

export interface PlainClientOptions {
  /** Of the API. */
  url: string;
  apiKey: string;
  projectId: number;
  regionId: number;
  signal: AbortSignal;
  say: (message: string) => void;
}

export interface PlainClient {
  /** Creates an instance: sends, sends again when no answer comes, polls the task. */
  create: (instance: CreateInstanceBody) => Promise<void>;
  /** The ids of all instances. */
  instances: () => Promise<string[]>;
}

/** A service that calls the API itself, without a workflow, as most do. The demo compares it with a run. */
export function createPlainClient(options: PlainClientOptions): PlainClient {
  const { url, apiKey, projectId, regionId, signal, say } = options;
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${url}/cloud${path}`, {
      method,
      signal,
      headers: { authorization: `apikey ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const send = async (instance: CreateInstanceBody): Promise<string[]> => {
    const path = `/v2/instances/${projectId}/${regionId}`;
    say(`POST /cloud${path}`);
    try {
      return taskIdsSchema.parse(await call('POST', path, instance)).tasks;
    } catch (error) {
      // So `fetch` tells a broken connection. Everything else is an answer.
      if (!(error instanceof TypeError)) throw error;
      say('no answer, the connection broke: sending it again');
      return send(instance);
    }
  };
  const ended = async (taskId: string): Promise<string> => {
    const { state } = taskSchema.parse(await call('GET', `/v1/tasks/${taskId}`));
    if (state === 'FINISHED' || state === 'ERROR') return state;
    await delay(POLL_MS, undefined, { signal });
    return ended(taskId);
  };
  return {
    async create(instance) {
      for (const id of await send(instance)) say(`task ${id} is ${await ended(id)}`);
    },
    async instances() {
      const list = await call('GET', `/v1/instances/${projectId}/${regionId}`);
      return instanceListSchema.parse(list).results.map(({ id }) => id);
    },
  };
}
