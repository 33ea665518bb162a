import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

/** The activity of most scripts. Each script says what it does. */
export interface Acts {
  perform(what: string, ...more: unknown[]): Promise<unknown>;
}

export const act = proxyActivities<Acts>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '50ms', backoffCoefficient: 2, maximumAttempts: 3 },
});

export const local = proxyLocalActivities<Acts>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '50ms', backoffCoefficient: 1, maximumAttempts: 3 },
});
