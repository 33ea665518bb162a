/** Reads a list page by page while others may change it. */
export interface SshKeyWalk<K> {
  /** Where the next page begins; `undefined` at the end of the list. */
  offset(): number | undefined;
  /** Adds the page that begins at `offset`. */
  take(page: { keys: readonly K[]; count: number }): void;
  /** The keys read so far, each once. */
  keys(): K[];
}

/**
 * A walk over the list that loses no key which exists from the first page to the last.
 *
 * The API pages by offset. When a key is removed meanwhile, all keys after it move forward, and the next
 * page would skip a key that was not read yet. The `count` does not show that, because another key may
 * have been added. So each page begins with the last row of the page before. When that row, or any other
 * known row, comes first, nothing is missing in between. Otherwise the walk goes one page back, in the
 * end to the beginning of the list. A key that is added meanwhile comes at the end or moves known rows
 * back; ids tell known rows from new ones.
 *
 * Keys that are added or removed while the list is read may or may not be in the result.
 *
 * @param limit how many rows a page may have; at least 2.
 */
export function createSshKeyWalk<K extends { id: number }>(limit: number): SshKeyWalk<K> {
  const known = new Map<number, K>();
  let offset: number | undefined = 0;
  return {
    offset: () => offset,
    keys: () => [...known.values()],
    take({ keys, count }) {
      if (offset === undefined) return;
      const [first] = keys;
      const joins = offset === 0 || (first !== undefined && known.has(first.id));
      if (!joins) {
        offset = Math.max(0, offset - (limit - 1));
        return;
      }
      for (const key of keys) known.set(key.id, key);
      // A single row is the last one of the page before, so this is the end, whatever `count` says. It
      // is documented as "total" and may include rows that a filter leaves out.
      const isEnd = keys.length <= 1 || offset + keys.length >= count;
      offset = isEnd ? undefined : offset + keys.length - 1;
    },
  };
}

/** Maximum keys in one page of the API. */
export const SSH_KEY_PAGE = 1_000;
