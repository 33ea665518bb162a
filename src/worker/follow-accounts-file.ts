import type { Logger } from '@temporalio/worker';

import { readAccountProfiles, type AccountProfiles } from '../config/account-profiles.js';
import { formatFault } from '../config/read-json.js';
import { watchFile } from './watch-file.js';

interface FollowedFile {
  path: string;
  /** What the worker has read at its start. */
  profiles: AccountProfiles;
  logger: Logger;
  everyMs?: number;
}

const CHANGED =
  'The accounts file has changed; the worker goes on with the former one: restart it to apply the change';
const FAULTY =
  'The accounts file has changed and has faults; the worker goes on with the former one, but would not start again';
const UNCHANGED = 'The accounts file is again as it was when the worker started';

/** Says once that the file has changed. The worker reads it at its start only. Returns the function that ends it. */
export function followAccountsFile({ path, profiles, logger, everyMs }: FollowedFile): () => void {
  let hasChanged = false;
  return watchFile({
    path,
    ...(everyMs !== undefined && { everyMs }),
    onContent: () => {
      const read = readAccountProfiles(path);
      if (!read.ok) {
        hasChanged = true;
        const faults = read.faults.map((fault) => formatFault('GCORE_ACCOUNTS_FILE', fault));
        logger.warn(FAULTY, { file: path, faults });
        return;
      }
      const change = compareProfiles(profiles, read.accounts);
      if (change !== undefined) logger.warn(CHANGED, { file: path, ...change });
      else if (hasChanged) logger.info(UNCHANGED, { file: path });
      hasChanged = change !== undefined;
    },
  });
}

interface Change {
  added: string[];
  removed: string[];
  changed: string[];
}

/** The names of the accounts that differ; `undefined` when none does. */
function compareProfiles(before: AccountProfiles, after: AccountProfiles): Change | undefined {
  const old = Object.keys(before);
  const added = Object.keys(after).filter((name) => !old.includes(name));
  const removed = old.filter((name) => !(name in after));
  const changed = old.filter(
    (name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const isSame = added.length + removed.length + changed.length === 0;
  return isSame ? undefined : { added, removed, changed };
}
