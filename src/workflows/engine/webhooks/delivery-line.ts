import type { WebhookEvent, WebhookTarget } from '../../../contract/webhook-events.js';

/** What one receiver still has to get, in order. */
export interface DeliveryLine {
  readonly target: WebhookTarget;
  readonly waiting: WebhookEvent[];
  /** The receiver wants no more. */
  isClosed: boolean;
  isWorking: boolean;
}

/** Five full lines fit into the 2 MiB that a new history may begin with. */
export const MAX_WAITING = 30;

/** Two entries with one URL and different secrets are two receivers. */
export function keyOf({ url, secretName }: WebhookTarget): string {
  return `${secretName} ${url}`;
}

/**
 * Adds an event to a line. Returns the event that the receiver will never get because of this, and why. The
 * first one is being sent, and the newest one may be the end of the run: both stay.
 */
export function addToLine(
  { waiting, isClosed }: DeliveryLine,
  event: WebhookEvent,
): { event: WebhookEvent; reason: string } | undefined {
  if (isClosed) return { event, reason: 'The receiver has answered 410: it wants no more.' };
  waiting.push(event);
  const dropped = waiting.length > MAX_WAITING ? waiting.splice(1, 1)[0] : undefined;
  const reason = `More than ${MAX_WAITING} events were waiting for the receiver.`;
  return dropped && { event: dropped, reason };
}
