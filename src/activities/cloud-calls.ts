/**
 * Calls by their kind. The kind alone decides whether a call may simply be repeated: a read and a
 * deletion by id may, a change may not. How Temporal tries them follows from their group.
 */
import { z } from 'zod';

import { taskIdsSchema } from '../contract/api/cloud.js';
import { madeSchema } from '../contract/api/errors.js';
import { isNotFound, removalOf } from '../engine/activities/run-of-activity.js';
import type { StartedRemoval, StartedTasks } from '../engine/core/tasks.js';
import type { ApiClient, ApiRequest } from '../engine/http/api-client.js';

type Sent = Partial<Pick<ApiRequest<unknown>, 'query' | 'bodyAt' | 'secrets' | 'isLarge'>>;

/** Reads one thing. Fails as `NotFound` when it does not exist. */
export function getOne<T>(
  api: ApiClient,
  path: string,
  response: ApiRequest<T>['response'],
): Promise<T> {
  return api.request({ method: 'GET', path, response, repeatable: true });
}

/** Reads one page of a list. */
export function getPage<T>(
  api: ApiClient,
  path: string,
  { response, ...sent }: Pick<ApiRequest<T>, 'response'> & Pick<Sent, 'query'>,
): Promise<T> {
  return api.request({ method: 'GET', path, response, isLarge: true, repeatable: true, ...sent });
}

/** Sends a change, and returns the tasks that it has started. The list may be empty. */
export async function change(
  api: ApiClient,
  request: Sent & { method: 'POST' | 'PATCH'; path: string; body: unknown },
): Promise<StartedTasks> {
  const { tasks } = await api.request({ ...request, response: taskIdsSchema, repeatable: false });
  return { taskIds: tasks };
}

/** Deletes one thing by its id. No task ids when it was already gone. */
export function remove(
  api: ApiClient,
  path: string,
  sent: Pick<Sent, 'query'> = {},
): Promise<StartedRemoval> {
  const request = { method: 'DELETE', path, response: taskIdsSchema, repeatable: false } as const;
  return removalOf(api.request({ ...request, ...sent }).then(({ tasks }) => tasks));
}

/** The same where the API names no task. What it answers is not read. */
export async function changeAtOnce(
  api: ApiClient,
  request: Sent & { method: 'POST' | 'PATCH'; path: string; body?: unknown },
): Promise<void> {
  await api.request({ ...request, response: z.unknown(), repeatable: false });
}

/** Makes one thing where the API names no task. Returns its id, if the answer has it. */
export function makeAtOnce(
  api: ApiClient,
  request: Sent & { path: string; body: unknown },
): Promise<{ id?: number }> {
  return api.request({ ...request, method: 'POST', response: madeSchema, repeatable: false });
}

/** Deletes one thing by its id where the API has no tasks for it. */
export function removeAtOnce(api: ApiClient, path: string): Promise<StartedRemoval> {
  const request = { method: 'DELETE', path, response: z.unknown(), repeatable: false } as const;
  return removalOf(api.request(request).then(() => []));
}

/** `undefined` when what was asked for does not exist. */
export async function unlessNotFound<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
