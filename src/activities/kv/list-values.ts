import { z } from 'zod';

import { paths } from '../../contract/wire/paths.js';
import { kvEntrySchema } from '../../contract/api/fastedge.js';
import type { ApiClient } from '../../engine/http/api-client.js';

export type Entry = z.infer<typeof kvEntrySchema>;

const listSchema = z.object({ count: z.number(), entries: z.array(kvEntrySchema) });

/** Half of the API's largest page: a page of long keys and values must arrive in time. */
const PAGE = 5_000;
/** Fewer keys are read one by one. */
const MIN_KEYS_FOR_LIST = 50;
/** A page may cost as much as this number of single reads. */
const KEYS_PER_PAGE = 20;
/** The longest search text of the API, in characters. */
const MAX_PREFIX_LENGTH = 256;

export interface ListedPage {
  entries: Entry[];
  /** Offset of the next page; null after the last one that is worth a read. */
  next: number | null;
}

/**
 * The plain keys of a store with the common prefix of these keys, read by page instead of one by one.
 * Incomplete, or empty, where pages would cost more than single reads.
 * `GET /fastedge/v1/kv/{store_id}/data`
 *
 * Pages of a changing store may lack a key: a key that is missing here may still exist.
 *
 * @param from offset of the first page; null when nothing is left to list.
 */
export async function* listValues(
  api: ApiClient,
  { storeId, keys, from }: { storeId: number; keys: readonly string[]; from: number | null },
): AsyncGenerator<ListedPage> {
  if (keys.length < MIN_KEYS_FOR_LIST) return;
  const search = commonPrefix(keys).slice(0, MAX_PREFIX_LENGTH);
  let offset = from;
  while (offset !== null) {
    const { count, entries } = await api.request({
      method: 'GET',
      path: paths.kvData(storeId),
      query: {
        data_type: 'kv',
        search: search === '' ? undefined : search,
        limit: PAGE,
        offset,
      },
      response: listSchema,
      isLarge: true,
      repeatable: true,
    });
    const isEnd = entries.length < PAGE || offset + PAGE >= count;
    const isTooExpensive = count / PAGE > keys.length / KEYS_PER_PAGE;
    offset = isEnd || isTooExpensive ? null : offset + PAGE;
    yield { entries, next: offset };
  }
}

function commonPrefix(keys: readonly string[]): string {
  const [first = '', ...others] = keys;
  const length = others.reduce((most, other) => {
    let alike = 0;
    while (alike < most && first[alike] === other[alike]) alike += 1;
    return alike;
  }, first.length);
  // Half of a surrogate pair is not valid text.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
