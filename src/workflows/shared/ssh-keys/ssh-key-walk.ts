import type { SshKeyPage, SshKeyView } from '../../../activities/ssh-keys.js';

/** Reads a list page by page while others may change it. */
export interface SshKeyWalk {
  /** Where the next page begins; `undefined` when the end was reached. */
  offset(): number | undefined;
  /** Takes in the page that begins at `offset`. */
  take(page: SshKeyPage): void;
  /** What was read so far, each key once. */
  keys(): SshKeyView[];
}

/**
 * A walk over the list in which no key is lost that is there from the first page to the last.
 *
 * The API pages by offset. A key that is removed meanwhile moves all that follow it forward, so that
 * the next page would begin behind a key that nobody has read; its `count` does not tell, because
 * another may have been added. So each page begins with the last row of the one before. When that
 * row, or any other known one, comes first, nothing is missing in between; else the walk goes one
 * page back, at last to the beginning of the list. A key that is added meanwhile comes at the end, or
 * moves known rows back, which are the same keys by their ids.
 *
 * What is added or removed while the list is read may or may not be in it.
 *
 * @param limit how many rows were asked for; at least 2.
 */
export function createSshKeyWalk(limit: number): SshKeyWalk {
  const known = new Map<number, SshKeyView>();
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
      // A lone row was the last of the page before: also an end, should `count` say otherwise, which
      // is documented as "total" and may count what a filter leaves out.
      const isEnd = keys.length <= 1 || offset + keys.length >= count;
      offset = isEnd ? undefined : offset + keys.length - 1;
    },
  };
}
