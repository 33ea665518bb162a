import type { Logger } from '@temporalio/worker';

import type { ReplaceableKeys } from '../activities/index.js';
import { toKey } from '../config/api-key.js';
import { watchFile } from './watch-file.js';

export interface FollowedKey {
  account: string;
  /** The file that holds the key. */
  path: string;
  keys: ReplaceableKeys;
  logger: Logger;
  onReplaced: () => void;
  everyMs?: number;
}

/**
 * Takes over a key that is written into the file of the account. While the file holds none, the former key stays.
 * Returns the function that ends it.
 */
export function followKey({ account, path, keys, logger, onReplaced, everyMs }: FollowedKey) {
  const facts = { account, file: path };
  let trouble: string | undefined;
  return watchFile({
    path,
    ...(everyMs !== undefined && { everyMs }),
    onContent: (content) => {
      const read = 'text' in content ? toKey(content.text) : content;
      if ('fault' in read) {
        if (read.fault !== trouble) logger.warn(NO_KEY, { ...facts, reason: read.fault });
        trouble = read.fault;
        return;
      }
      if (trouble !== undefined)
        logger.info('The key file of the account is in order again', facts);
      trouble = undefined;
      if (read.key === keys.current()) return;
      keys.replace(read.key);
      logger.info('The key of the account was replaced', facts);
      onReplaced();
    },
  });
}

const NO_KEY =
  'The key file of the account holds no key; the former key stays, but the worker would not start again';
