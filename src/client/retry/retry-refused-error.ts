/**
 * Why a run is not started again. `open`: it has not ended. `succeeded`: there is nothing to do.
 * `plan`: a plan is made anew instead. `forgotten`: the history with its input is gone.
 * `list-may-differ`: its failed items are lines of a list that may have changed since.
 */
export type RetryRefusal = 'open' | 'succeeded' | 'plan' | 'forgotten' | 'list-may-differ';

const REASONS: Record<RetryRefusal, { reason: string; advice: string }> = {
  open: {
    reason: 'is open',
    advice: 'Follow it, or end it first (cancel, abort).',
  },
  succeeded: {
    reason: 'has succeeded',
    advice: 'To do it once more, start another request with an id of its own.',
  },
  plan: {
    reason: 'is a plan, and changed nothing',
    advice: 'Make the plan again.',
  },
  forgotten: {
    reason: 'has lost its history, and with it its input',
    advice: 'Start the same request again with its input: it finds what exists.',
  },
  'list-may-differ': {
    reason:
      'names its failed videos by the lines of a manifest without sha256, and the manifest may have changed since',
    advice:
      'Where lines were corrected in place, and none was added, removed or moved, confirm that (sameLines). Otherwise import the failed videos from a list of their own.',
  },
};

/** Thrown by `retry` when there is nothing to start again. Nothing was started. */
export class RetryRefusedError extends Error {
  override readonly name = 'RetryRefusedError';
  readonly workflowId: string;
  readonly refusal: RetryRefusal;
  readonly reason: string;
  readonly advice: string;

  constructor(workflowId: string, refusal: RetryRefusal) {
    const { reason, advice } = REASONS[refusal];
    super(`The run ${workflowId} ${reason}. Nothing was started. ${advice}`);
    this.workflowId = workflowId;
    this.refusal = refusal;
    this.reason = reason;
    this.advice = advice;
  }
}
