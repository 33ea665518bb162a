import type { Logger } from '@temporalio/worker';

import { createApiKeys } from '../activities/index.js';
import type { AccountConfig } from '../config.js';
import { createAccountBreakers } from './account-breakers.js';
import type { AccountOptions } from './create-workers.js';
import { followKey } from './follow-key.js';
import { createPaceLog } from './log-pace.js';

/** An account with its own key, budget, breakers and log lines. */
export interface ServedAccount {
  options: AccountOptions;
  /** Takes over keys that are written into its file. Returns the function that ends it. */
  followKey: (onReplaced: () => void) => () => void;
}

const NOT_WATCHING =
  'The list of tasks cannot be read; the runs of the account look by themselves, less often';

export function serveAccount(config: AccountConfig, logger: Logger): ServedAccount {
  const { name, requestsPerSecond, baseUrl, authScheme, keyFile } = config;
  const account = { name, requestsPerSecond };
  const keys = createApiKeys(config.apiKey);
  const breakers = createAccountBreakers(account, logger);
  return {
    options: {
      ...account,
      onPace: createPaceLog(account, logger),
      api: { baseUrl, authScheme, apiKey: keys, breakers },
      watch: {
        onNotWatching: (reason) => {
          logger.warn(NOT_WATCHING, { account: name, reason });
        },
        onWatching: () => {
          logger.info('The list of tasks can be read again', { account: name });
        },
      },
    },
    followKey: (onReplaced) => {
      // The environment of a process does not change.
      if (keyFile === undefined) return () => undefined;
      return followKey({
        ...{ account: name, path: keyFile, keys, logger },
        onReplaced: () => {
          breakers.keyReplaced();
          onReplaced();
        },
      });
    },
  };
}
