import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../../contract/api/paths.js';
import type { KvItem } from '../../contract/api/kv-item.js';
import { kvEntrySchema } from '../../contract/api/kv-store.js';
import { FailureType } from '../../contract/failures.js';
import type { ApiClient } from '../http/api-client.js';
import type { ManifestItem } from '../manifest/create-manifest-reader.js';

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

/** Which of these keys exist, with their datatypes. `GET /fastedge/v1/kv/{store_id}/data/{key}`, one call per key */
export async function findDatatypes(
  api: ApiClient,
  { storeId, items }: { storeId: number; items: readonly ManifestItem<KvItem>[] },
): Promise<FoundDatatype[]> {
  const found: FoundDatatype[] = [];
  for (const { line, value } of items) {
    const { key, datatype: wanted } = value;
    const datatype = await datatypeOf(api, storeId, key);
    if (datatype !== undefined) found.push({ line, key, datatype, wanted });
  }
  return found;
}

async function datatypeOf(
  api: ApiClient,
  storeId: number,
  key: string,
): Promise<string | undefined> {
  // A URL drops these two as path segments.
  if (key === '.' || key === '..') return undefined;
  const path = paths.kvKey(storeId, key);
  try {
    const query = { limit: 1 };
    const { datatype } = await api.request({
      ...{ method: 'GET', path, query, response: kvEntrySchema, isLarge: true, repeatable: true },
    });
    return datatype;
  } catch (error) {
    const isGone = error instanceof ApplicationFailure && error.type === FailureType.notFound;
    if (isGone) return undefined;
    throw error;
  }
}
