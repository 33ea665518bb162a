import type { Logger } from '@temporalio/worker';

import { createBreakers, type BreakersOptions } from '../activities/gcore-api.js';
import type { Breakers } from '../engine/http/circuit-breaker.js';

export type BreakerEvents = Required<
  Pick<BreakersOptions, 'onOpen' | 'onClose' | 'onForget' | 'onKeyRefused' | 'onKeyAccepted'>
>;

/** The breakers of one account. They log the begin and the end of an outage, not each call. */
export function createAccountBreakers(
  { name: account, requestsPerSecond }: { name: string; requestsPerSecond: number },
  logger: Logger,
  also?: BreakerEvents,
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
      also?.onOpen(outage);
    },
    onClose: (outage) => {
      logger.info('The API answers again', facts(outage));
      also?.onClose(outage);
    },
    onForget: (outage) => {
      logger.info('No call asks any more for what did not answer', facts(outage));
      also?.onForget(outage);
    },
    onKeyRefused: (refusal) => {
      logger.warn(
        'The API refuses the key of the account; its calls are held back',
        facts(refusal),
      );
      also?.onKeyRefused(refusal);
    },
    onKeyAccepted: (refusal) => {
      logger.info('The API accepts the key of the account again', facts(refusal));
      also?.onKeyAccepted(refusal);
    },
  });
}

/** Where something began, and when. Without an area it concerns the whole account. */
interface Where {
  area?: string;
  region?: number;
  collection?: string;
  since: Date;
}
