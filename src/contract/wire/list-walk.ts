/** Reads a list page by page while others may change it. */
export interface ListWalk<R> {
  /** Where the next page begins; `undefined` at the end of the list. */
  offset(): number | undefined;
  /** Adds the page that begins at `offset`. */
  take(page: { rows: readonly R[]; count: number }): void;
  /** The rows read so far, each once. */
  rows(): R[];
}

/**
 * A walk over the list that loses no row which exists from the first page to the last.
 *
 * The API pages by offset. When a row is removed meanwhile, all rows after it move forward, and the next
 * page would skip a row that was not read yet. The `count` does not show that, because another row may
 * have been added. So each page begins with the last row of the page before. When that row, or any other
 * known row, comes first, nothing is missing in between. Otherwise the walk goes one page back, in the
 * end to the beginning of the list. A row that is added meanwhile comes at the end or moves known rows
 * back; ids tell known rows from new ones.
 *
 * Rows that are added or removed while the list is read may or may not be in the result.
 *
 * @param limit how many rows a page may have; at least 2.
 * @param idOf what tells the rows apart
 */
export function createListWalk<R>(limit: number, idOf: (row: R) => unknown): ListWalk<R> {
  const known = new Map<unknown, R>();
  let offset: number | undefined = 0;
  /** The page begins with a row of the page before: one of a single row has none to spare. */
  let overlaps = false;
  return {
    offset: () => offset,
    rows: () => [...known.values()],
    take({ rows, count }) {
      if (offset === undefined) return;
      const [first] = rows;
      const joins = !overlaps || (first !== undefined && known.has(idOf(first)));
      if (!joins) {
        offset = Math.max(0, offset - (limit - 1));
        overlaps = offset > 0;
        return;
      }
      for (const row of rows) known.set(idOf(row), row);
      // Nothing beside the row of the page before is the end, whatever `count` says. It is documented as
      // "total" and may include rows that a filter leaves out.
      const isEnd = rows.length <= (overlaps ? 1 : 0) || offset + rows.length >= count;
      overlaps = rows.length > 1;
      offset = isEnd ? undefined : offset + rows.length - (overlaps ? 1 : 0);
    },
  };
}

/** Maximum rows in one page of a cloud list, and of the keys for SFTP. */
export const LIST_PAGE = 1_000;
/** 50,000 rows in overlapping pages, more than any list has. A list that needs more pages changes as fast as it is read. */
export const MOST_PAGES = 51;
