import type { Logger } from '@temporalio/worker';

import type { Pressure } from '../engine/http/learned-pace.js';
import { roughly } from '../engine/http/request-budget.js';

/** Logs when the API allows fewer requests than configured: one line for each change of order, not for each request. */
export function createPaceLog(
  { name: account }: { name: string },
  logger: Logger,
): (pressure: Pressure) => void {
  let since: Date | undefined;
  return ({ perSecond, since: now }) => {
    const facts = { account, perSecond: roughly(perSecond) };
    if (now === undefined) {
      const begun = since === undefined ? {} : { since: since.toISOString() };
      logger.info('The API accepts the calls of the account again', { ...facts, ...begun });
    } else {
      logger.warn('The API rate-limits the account; calls wait', {
        ...facts,
        since: now.toISOString(),
      });
    }
    since = now;
  };
}
