import type { Logger, NativeConnection } from '@temporalio/worker';

import type { WorkerConfig } from '../config.js';
import { followAccountsFile } from './follow-accounts-file.js';
import type { ServedAccount } from './serve-account.js';
import { createKeyWaker } from './wake-blocked.js';

export interface FollowFilesDeps {
  connection: NativeConnection;
  namespace: string;
  logger: Logger;
}

/** Follows the files of keys and accounts while the workers run. Returns the function that ends it. */
export function followFiles(
  deps: FollowFilesDeps,
  { accountsFile }: WorkerConfig,
  accounts: readonly ServedAccount[],
): () => void {
  const { logger } = deps;
  const waker = createKeyWaker(deps);
  const ends = accounts.map((account) =>
    account.followKey(() => {
      waker.wake(account.options.name);
    }),
  );
  if (accountsFile !== undefined) ends.push(followAccountsFile({ ...accountsFile, logger }));
  return () => {
    for (const end of [waker.close, ...ends]) end();
  };
}
