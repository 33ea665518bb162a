/**
 * The words of the status document; its shape is in `engine/schema/status-document.ts`.
 */

/** What a run as a whole is doing. */
export const Phase = {
  running: 'running',
  waiting: 'waiting',
  paused: 'paused',
  blocked: 'blocked',
  rollingBack: 'rolling-back',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

/** What is known of one step. `outcome-unknown` is a legal state: it is shown, never guessed away. */
export const StepState = {
  planned: 'planned',
  sending: 'sending',
  accepted: 'accepted',
  outcomeUnknown: 'outcome-unknown',
  waiting: 'waiting',
  verified: 'verified',
  failed: 'failed',
  undone: 'undone',
  kept: 'kept',
} as const;
export type StepState = (typeof StepState)[keyof typeof StepState];

/** A step that leaves something when its run ends without success, or may do so. */
export const LEFT: ReadonlySet<StepState> = new Set([StepState.kept, StepState.outcomeUnknown]);

/** Something at the API that a run created or adopted and that exists or may exist. */
export interface Resource {
  kind: string;
  id: string;
}

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

/** How many items of a bulk run ended in which way. */
export interface ItemCounts {
  asked: number;
  succeeded: number;
  failed: number;
  pending: number;
  untried: number;
  /** Succeeded, although the item carries an error text. */
  warned: number;
  byClass: Record<string, number>;
}
