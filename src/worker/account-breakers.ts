import type { Logger } from '@temporalio/worker';

import { createBreakers, type Breakers } from '../activities/http/circuit-breaker.js';

/** The breakers of one account. They log the begin and the end of an outage, not each call. */
export function createAccountBreakers(
  { name: account, requestsPerSecond }: { name: string; requestsPerSecond: number },
  logger: Logger,
): Breakers {
  const facts = (since: Date) => ({ account, since: since.toISOString() });
  return createBreakers({
    requestsPerSecond,
    onOpen: ({ area, since }) => {
      logger.warn('The API does not answer; calls wait', { area, ...facts(since) });
    },
    onClose: ({ area, since }) => {
      logger.info('The API answers again', { area, ...facts(since) });
    },
    onThrottled: (since) => {
      logger.warn('The API rate-limits the account; calls wait', facts(since));
    },
    onUnthrottled: (since) => {
      logger.info('The API accepts the calls of the account again', facts(since));
    },
    onKeyRefused: (since) => {
      logger.warn('The API refuses the key of the account; its calls are held back', facts(since));
    },
    onKeyAccepted: (since) => {
      logger.info('The API accepts the key of the account again', facts(since));
    },
  });
}
