import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType } from '../../../contract/failures.js';
import { failure } from '../../engine/run/failures.js';
import type { Run } from '../../engine/run/run-types.js';
import { createSshKeyWalk } from './ssh-key-walk.js';

/** The most that the API gives in one page. */
const PAGE = 1_000;
/** Ten times what a result takes: a list that takes longer changes as fast as it is read. */
const MAX_PAGES = 50;

export interface WalkedKeys {
  /** Part of the name. */
  name?: string | undefined;
  /** Told what was read so far and how many there are; false ends the walk. */
  onPage?: (read: SshKeyView[], count: number) => boolean;
}

/** The keys of all pages. Fails as `UnexpectedResponse` when the list changes as fast as it is read. */
export async function walkSshKeys(run: Run, { name, onPage }: WalkedKeys): Promise<SshKeyView[]> {
  const filter = name === undefined ? {} : { name };
  const walk = createSshKeyWalk(PAGE);
  for (let pages = 1; ; pages++) {
    const offset = walk.offset();
    if (offset === undefined) return walk.keys();
    if (pages > MAX_PAGES) throw tooRestless();
    await run.controls.clearance();
    const page = await run.api.reads.listSshKeyPage.executeWithOptions(
      { summary: `keys${name === undefined ? '' : ` named ${name}`} from ${offset + 1} on` },
      [{ offset, limit: PAGE, ...filter }],
    );
    walk.take(page);
    const keys = walk.keys();
    if (onPage?.(keys, page.count) === false) return keys;
  }
}

function tooRestless(): Error {
  return failure(
    FailureType.unexpectedResponse,
    `The list of keys changed so often that it was not read to its end within ${MAX_PAGES} pages.`,
    { advice: 'Find out who adds and removes keys all the time, then start again.' },
  );
}
