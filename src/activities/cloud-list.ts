import type { z } from 'zod';

import { createListWalk, LIST_PAGE, MOST_PAGES } from '../contract/wire/list-walk.js';
import { MAKER_TAG, MARKER_TAG } from '../contract/wire/names.js';
import { FailureType } from '../engine/core/failures.js';
import { namespaceIdOf } from '../engine/core/identity.js';
import { toApplicationFailure } from '../engine/http/describe-failure.js';
import type { ApiClient, ApiRequest } from '../engine/http/api-client.js';
import { getPage } from './cloud-calls.js';

/** The largest page of a cloud list; some lists have a default of 10. */
export const LIST_LIMIT = LIST_PAGE;

export interface CloudList<T> extends Pick<ApiRequest<unknown>, 'path' | 'query'> {
  response: z.ZodType<{ count: number; results: T[] }>;
}

export interface Rows<T> {
  rows: T[];
  /** No row is missing. */
  isWhole: boolean;
}

/** The first page of a list. */
export async function readRows<T>(reads: ApiClient, list: CloudList<T>): Promise<Rows<T>> {
  const { rows, count } = await readPage(reads, list);
  return { rows, isWhole: rows.length === 0 || rows.length >= count };
}

async function readPage<T>(
  reads: ApiClient,
  { path, query, response }: CloudList<T>,
  before = 0,
): Promise<{ rows: T[]; count: number }> {
  const { count, results: rows } = await getPage(reads, path, {
    response,
    query: { ...query, limit: LIST_LIMIT, ...(before > 0 && { offset: before }) },
  });
  // Such a count may be that of the page.
  const isUnclear = rows.length === LIST_LIMIT && count === LIST_LIMIT;
  return { rows, count: isUnclear ? Infinity : count };
}

/**
 * All rows of a list, each once, as many pages as there are, also while others change it. Fails as `UnexpectedResponse`
 * after 51 pages: a part must not count as the whole.
 */
export async function readAllRows<T>(reads: ApiClient, list: CloudList<T>): Promise<T[]> {
  const walk = createListWalk<T>(LIST_LIMIT, identityOf);
  for (let page = 0; page < MOST_PAGES; page++) {
    walk.take(await readPage(reads, list, walk.offset()));
    if (walk.offset() === undefined) return walk.rows();
  }
  throw toApplicationFailure({
    type: FailureType.unexpectedResponse,
    message: `GET ${list.path} still has rows after ${MOST_PAGES} pages`,
    details: { method: 'GET', path: list.path },
  });
}

/** Its id, or all of it: what has no id is known by its name or its content. */
function identityOf(row: unknown): unknown {
  return row instanceof Object && 'id' in row ? row.id : JSON.stringify(row);
}

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}

export function tagOf(
  { tags }: { tags: readonly { key: string; value: string }[] },
  key: string,
): string | undefined {
  return tags.find((tag) => tag.key === key)?.value;
}

/** What tells who made a thing that runs make alone, and what locks it. */
export interface Made {
  marker?: string;
  maker?: string;
  creatorTaskId?: string;
  /** The task that locks it. */
  lockTaskId?: string;
}

export function toMade(row: {
  tags: readonly { key: string; value: string }[];
  creator_task_id?: string | null | undefined;
  task_id?: string | null | undefined;
}): Made {
  const marker = tagOf(row, MARKER_TAG);
  const maker = tagOf(row, MAKER_TAG);
  return {
    ...(marker !== undefined && { marker }),
    ...(maker !== undefined && { maker }),
    ...(typeof row.creator_task_id === 'string' && { creatorTaskId: row.creator_task_id }),
    ...(typeof row.task_id === 'string' && { lockTaskId: row.task_id }),
  };
}

/** Two Temporal clusters may use one account and the same ids. What the other one made is not ours. */
export function isOfNamespace(
  maker: string | undefined,
  { namespaceId }: { namespaceId?: string | undefined },
): boolean {
  return maker === undefined || namespaceId === undefined || namespaceIdOf(maker) === namespaceId;
}
