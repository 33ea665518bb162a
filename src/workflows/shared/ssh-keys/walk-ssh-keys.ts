import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { createListWalk, LIST_PAGE, MOST_PAGES } from '../../../contract/wire/list-walk.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure } from '../../../engine/run/failures.js';
import type { Run } from '../../gcore.js';

export interface WalkedKeys {
  /** A part of the key names; all keys when left out. */
  name?: string | undefined;
  /** Called with the keys read so far and the total count; false ends the walk. */
  onPage?: (read: SshKeyView[], count: number) => boolean;
}

/** Reads all pages. Fails as `UnexpectedResponse` when the list changes as fast as it is read. */
export async function walkSshKeys(run: Run, { name, onPage }: WalkedKeys): Promise<SshKeyView[]> {
  const filter = name === undefined ? {} : { name };
  const walk = createListWalk<SshKeyView>(LIST_PAGE, ({ id }) => id);
  for (let pages = 1; ; pages++) {
    const offset = walk.offset();
    if (offset === undefined) return walk.rows();
    if (pages > MOST_PAGES) throw unstableListFailure();
    await run.controls.untilUnpaused();
    const page = await run.api.reads.listSshKeyPage.executeWithOptions(
      { summary: `keys${name === undefined ? '' : ` named ${name}`} from ${offset + 1} on` },
      [{ offset, limit: LIST_PAGE, ...filter }],
    );
    walk.take({ rows: page.keys, count: page.count });
    const keys = walk.rows();
    if (onPage?.(keys, page.count) === false) return keys;
  }
}

function unstableListFailure(): Error {
  return failure(
    FailureType.unexpectedResponse,
    `The list of keys kept changing: ${MOST_PAGES} pages did not reach its end.`,
    { advice: 'Find out who keeps adding and removing keys, then start again.' },
  );
}
