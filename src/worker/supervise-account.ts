import type { Logger } from '@temporalio/worker';

import type { SupervisedOptions } from './supervised-workers.js';

const FAILED =
  'The workers of the account have failed: nobody serves it. The other accounts go on; trying again';

/** Says in the log when the workers of one account fail and run again. */
export function superviseAccount(
  { name: account }: { name: string },
  logger: Logger,
): Pick<SupervisedOptions, 'onFailed' | 'onRecovered'> {
  return {
    onFailed: (error, waitMs) => {
      logger.error(FAILED, { account, error, waitMs });
    },
    onRecovered: () => {
      logger.info('The workers of the account have started again', { account });
    },
  };
}
