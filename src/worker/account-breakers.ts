import type { Logger } from '@temporalio/worker';

import { createBreakers, type Breakers } from '../activities/http/circuit-breaker.js';

/** The breakers of one account. They log the begin and the end of an outage, not each call. */
export function createAccountBreakers(
  { name: account, requestsPerSecond }: { name: string; requestsPerSecond: number },
  logger: Logger,
): Breakers {
  const facts = ({ since, ...where }: Where) => ({
    account,
    ...where,
    since: since.toISOString(),
  });
  return createBreakers({
    requestsPerSecond,
    onOpen: (outage) => {
      logger.warn('The API does not answer; calls wait', facts(outage));
    },
    onClose: (outage) => {
      logger.info('The API answers again', facts(outage));
    },
    onKeyRefused: (refusal) => {
      logger.warn(
        'The API refuses the key of the account; its calls are held back',
        facts(refusal),
      );
    },
    onKeyAccepted: (refusal) => {
      logger.info('The API accepts the key of the account again', facts(refusal));
    },
  });
}

/** Where something began, and when. Without an area it concerns the whole account. */
interface Where {
  area?: string;
  region?: number;
  since: Date;
}
