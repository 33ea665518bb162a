import { z } from 'zod';

import { paths } from '../../contract/wire/paths.js';
import { kvEntrySchema, type KvItem } from '../../contract/api/fastedge.js';
import type { ApiClient } from '../../engine/http/api-client.js';
import { unlessNotFound } from '../cloud-calls.js';
import type { ManifestItem } from '../manifest/create-manifest-reader.js';
import { earlierProgress, keepProgress } from '../../engine/activities/attempt.js';

/** A key of the list that exists in the store. */
export interface FoundDatatype {
  /** Line of the item: in its manifest, or its number in the list, from 1. */
  line: number;
  key: string;
  /** The datatype in the store. */
  datatype: string;
  /** The datatype of the item. */
  wanted: KvItem['datatype'];
}

const progressSchema = z.object({
  items: z.number(),
  /** The first ones, which are read. */
  done: z.int().min(0),
  /** Those that exist, each with its datatype. */
  found: z.array(z.tuple([z.number(), z.string()])),
});

/**
 * Which of these keys exist, with their datatypes. Goes on from the heartbeat of the attempt before.
 * `GET /fastedge/v1/kv/{store_id}/data/{key}`, one call per key
 */
export async function findDatatypes(
  api: ApiClient,
  { storeId, items }: { storeId: number; items: readonly ManifestItem<KvItem>[] },
): Promise<FoundDatatype[]> {
  const earlier = earlierProgress(progressSchema);
  const isSame = earlier?.items === items.length;
  let done = isSame ? earlier.done : 0;
  const found = new Map(isSame ? earlier.found : []);
  keepProgress(() => ({ items: items.length, done, found: [...found] }));
  for (const { value } of items.slice(done)) {
    const datatype = await datatypeOf(api, storeId, value.key);
    if (datatype !== undefined) found.set(done, datatype);
    done += 1;
  }
  return items.flatMap(({ line, value: { key, datatype: wanted } }, at) => {
    const datatype = found.get(at);
    return datatype === undefined ? [] : [{ line, key, datatype, wanted }];
  });
}

async function datatypeOf(
  api: ApiClient,
  storeId: number,
  key: string,
): Promise<string | undefined> {
  // A URL drops these two as path segments.
  if (key === '.' || key === '..') return undefined;
  const path = paths.kvKey(storeId, key);
  const entry = await unlessNotFound(
    api.request({
      method: 'GET',
      path,
      query: { limit: 1 },
      response: kvEntrySchema,
      isLarge: true,
      repeatable: true,
    }),
  );
  return entry?.datatype;
}
