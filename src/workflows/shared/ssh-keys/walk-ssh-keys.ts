import type { SshKeyPage, SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure } from '../../../engine/run/failures.js';
import type { Run } from '../../gcore.js';

/** Reads a list page by page while others may change it. */
export interface SshKeyWalk {
  /** Where the next page begins; `undefined` at the end of the list. */
  offset(): number | undefined;
  /** Adds the page that begins at `offset`. */
  take(page: SshKeyPage): void;
  /** The keys read so far, each once. */
  keys(): SshKeyView[];
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
      // A single row is the last one of the page before, so this is the end, whatever `count` says. It
      // is documented as "total" and may include rows that a filter leaves out.
      const isEnd = keys.length <= 1 || offset + keys.length >= count;
      offset = isEnd ? undefined : offset + keys.length - 1;
    },
  };
}

/** Maximum keys in one page of the API. */
export const SSH_KEY_PAGE = 1_000;
/** Ten times what a result holds. A list that needs more pages changes as fast as it is read. */
const MAX_PAGES = 50;

export interface WalkedKeys {
  /** A part of the key names; all keys when left out. */
  name?: string | undefined;
  /** Called with the keys read so far and the total count; false ends the walk. */
  onPage?: (read: SshKeyView[], count: number) => boolean;
}

/** Reads all pages. Fails as `UnexpectedResponse` when the list changes as fast as it is read. */
export async function walkSshKeys(run: Run, { name, onPage }: WalkedKeys): Promise<SshKeyView[]> {
  const filter = name === undefined ? {} : { name };
  const walk = createSshKeyWalk(SSH_KEY_PAGE);
  for (let pages = 1; ; pages++) {
    const offset = walk.offset();
    if (offset === undefined) return walk.keys();
    if (pages > MAX_PAGES) throw unstableListFailure();
    await run.controls.untilUnpaused();
    const page = await run.api.reads.listSshKeyPage.executeWithOptions(
      { summary: `keys${name === undefined ? '' : ` named ${name}`} from ${offset + 1} on` },
      [{ offset, limit: SSH_KEY_PAGE, ...filter }],
    );
    walk.take(page);
    const keys = walk.keys();
    if (onPage?.(keys, page.count) === false) return keys;
  }
}

function unstableListFailure(): Error {
  return failure(
    FailureType.unexpectedResponse,
    `The list of keys kept changing: ${MAX_PAGES} pages did not reach its end.`,
    { advice: 'Find out who keeps adding and removing keys, then start again.' },
  );
}
