import { ApplicationFailure } from '@temporalio/common';

import { paths } from '../../contract/api/paths.js';
import type { KvItem } from '../../contract/api/kv-item.js';
import { kvEntrySchema } from '../../contract/api/kv-store.js';
import { FailureType } from '../../contract/failures.js';
import type { ApiClient } from '../http/api-client.js';
import type { ManifestItem } from '../manifest/create-manifest-reader.js';

/** A key of the list that the store has. */
export interface FoundDatatype {
  /** Of the item that names it: in its manifest, or from 1 in the list. */
  line: number;
  key: string;
  /** As the store has it. */
  datatype: string;
  /** As the item has it. */
  wanted: KvItem['datatype'];
}

/** Which of these keys there are, and as what. `GET /fastedge/v1/kv/{store_id}/data/{key}`, one a key */
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
  // Any URL would lose these two as parts of its path.
  if (key === '.' || key === '..') return undefined;
  const path = paths.kvKey(storeId, key);
  try {
    const query = { limit: 1 };
    const { datatype } = await api.request({
      ...{ method: 'GET', path, query, response: kvEntrySchema, repeatable: true },
    });
    return datatype;
  } catch (error) {
    const isGone = error instanceof ApplicationFailure && error.type === FailureType.notFound;
    if (isGone) return undefined;
    throw error;
  }
}
