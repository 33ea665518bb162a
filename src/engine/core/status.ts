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
