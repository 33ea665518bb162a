import { proxyActivities } from '@temporalio/workflow';

import type { ApiActivities } from '../../activities/index.js';
import { apiTaskQueue } from '../../contract/names.js';

/** Reads are repeated until the API answers: an outage of hours is a pause. */
const UNTIL_ANSWERED = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;

type Sends = Pick<ApiActivities, 'createInstance'>;
type Repeatables = Omit<ApiActivities, keyof Sends>;

/** The API calls of one account, grouped by what a repeat would do. */
export interface Api {
  /** Reads and deletes by id: harmless to repeat, so Temporal repeats them without end. */
  repeatable: ReturnType<typeof proxyActivities<Repeatables>>;
  /** Mutations that would happen twice: one attempt each, see send-once. */
  once: ReturnType<typeof proxyActivities<Sends>>;
}

/**
 * The timeouts lie above the HTTP client's own, so that an exchange ends by itself first. No
 * scheduleToClose: neither a waiting rate limit nor an outage may end a call.
 */
export function apiOf(account: string): Api {
  const taskQueue = apiTaskQueue(account);
  return {
    repeatable: proxyActivities<Repeatables>({
      taskQueue,
      startToCloseTimeout: '20 seconds',
      retry: UNTIL_ANSWERED,
    }),
    once: proxyActivities<Sends>({
      taskQueue,
      startToCloseTimeout: '20 seconds',
      retry: { maximumAttempts: 1 },
    }),
  };
}
