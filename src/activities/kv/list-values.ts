import { z } from 'zod';

import { paths } from '../../contract/api/paths.js';
import { kvEntrySchema } from '../../contract/api/kv-store.js';
import type { ApiClient } from '../http/api-client.js';

type Entry = z.infer<typeof kvEntrySchema>;

const listSchema = z.object({ count: z.number(), entries: z.array(kvEntrySchema) });

/** Half of what the API gives at once: a page of long keys and values must come in time. */
const PAGE = 5_000;
/** Fewer keys are asked for one by one. */
const WORTH_A_LIST = 50;
/** A page may cost as much as so many single keys. */
const KEYS_A_PAGE = 20;
/** The longest text that the API takes to search for, in characters. */
const LONGEST_PREFIX = 256;

/**
 * The plain keys of a store that begin as these keys do, read by page instead of one by one; empty
 * where that would take more than asking for each. `GET /fastedge/v1/kv/{store_id}/data`
 *
 * Pages of a store that changes may lack a key, so what is not in here is not known to be absent.
 */
export async function listValues(
  api: ApiClient,
  { storeId, keys }: { storeId: number; keys: readonly string[] },
): Promise<Map<string, Entry>> {
  const values = new Map<string, Entry>();
  if (keys.length < WORTH_A_LIST) return values;
  const search = commonPrefix(keys).slice(0, LONGEST_PREFIX);
  for (let offset = 0; ; offset += PAGE) {
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
      repeatable: true,
    });
    for (const entry of entries) values.set(entry.key, entry);
    const isEnd = entries.length < PAGE || offset + PAGE >= count;
    const isDear = count / PAGE > keys.length / KEYS_A_PAGE;
    if (isEnd || isDear) return values;
  }
}

function commonPrefix(keys: readonly string[]): string {
  const [first = '', ...others] = keys;
  const length = others.reduce((most, other) => {
    let alike = 0;
    while (alike < most && first[alike] === other[alike]) alike += 1;
    return alike;
  }, first.length);
  // Half a character of two units is no text.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
