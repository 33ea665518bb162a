import type { WebhookEvent, WebhookOrder, WebhookTarget } from '../core/webhooks.js';

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

/** What is left, as it came: an event that several receivers wait for is there once. */
export function toOrders(lines: readonly DeliveryLine[]): WebhookOrder[] {
  const orders = new Map<string, WebhookOrder>();
  for (const { target, waiting } of lines) {
    for (const event of waiting) {
      const order = orders.get(event.id) ?? { event, targets: [] };
      order.targets.push(target);
      orders.set(event.id, order);
    }
  }
  return [...orders.values()].sort((a, b) => sequenceOf(a) - sequenceOf(b));
}

function sequenceOf({ event }: WebhookOrder): number {
  return event.body.data.sequence;
}
