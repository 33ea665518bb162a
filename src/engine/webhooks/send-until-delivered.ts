import {
  ActivityFailure,
  isCancellation,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';

import type { Delivery, WebhookActivities } from '../activities/webhooks/send-webhook.js';
import type { Product } from '../core/product.js';
import { FailureType } from '../core/failures.js';
import { hostOf } from '../core/webhooks.js';
import { failureOf, failureTypeOf } from '../run/failures.js';

/** An event is given up a day after it happened. */
const GIVE_UP_MS = 24 * 3_600_000;
/** An event that has waited for others as long as that still has its try. */
const LEAST_MS = 60_000;

/** Whose workers send. */
export interface Sender {
  account: string;
  product: Pick<Product, 'queues' | 'settings'>;
}

/** Why an event was given up; no reason: it was delivered. */
export interface DeliveryEnd {
  reason?: string;
  /** The receiver wants no more. */
  isGone?: boolean;
}

/** Sends an event until the receiver has taken it, or a day has passed. Repeats cost no events of a history. */
export async function sendUntilDelivered(
  delivery: Delivery,
  { account, product: { queues, settings } }: Sender,
): Promise<DeliveryEnd> {
  const { target, event } = delivery;
  const leftMs = Date.parse(event.body.timestamp) + GIVE_UP_MS - Date.now();
  const { sendWebhook } = proxyActivities<WebhookActivities>({
    taskQueue: queues.webhooks(account),
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: Math.max(leftMs, LEAST_MS),
    retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary: `${event.body.type} to ${hostOf(target)}`,
  });
  try {
    await sendWebhook(delivery);
    return {};
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return {
      reason: reasonOf(error, settings),
      isGone: failureTypeOf(error) === FailureType.notFound,
    };
  }
}

function reasonOf(error: ActivityFailure, settings: Product['settings']): string {
  const { cause } = error;
  const last = cause instanceof TimeoutFailure ? cause.cause : failureOf(error);
  if (last !== undefined) return `${last.message}.`;
  return `No worker has sent it: ${settings.webhooks} must be set for the workers of the account.`;
}
