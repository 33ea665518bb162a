/** What a run can tell its receivers: the names of the webhooks. */
export const WebhookEventType = {
  /** A person must act. */
  runBlocked: 'run.blocked',
  /** The run goes on after it was blocked. */
  runResumed: 'run.resumed',
  runSucceeded: 'run.succeeded',
  runFailed: 'run.failed',
  runCancelled: 'run.cancelled',
  /** Bulk runs: the first items have failed; at the end once more when others have followed. */
  itemsFailed: 'items.failed',
} as const;
export type WebhookEventType = (typeof WebhookEventType)[keyof typeof WebhookEventType];

export const WEBHOOK_EVENT_TYPES = Object.values(WebhookEventType);
