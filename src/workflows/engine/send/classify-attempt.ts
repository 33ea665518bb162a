import { ActivityFailure } from '@temporalio/workflow';

import { FailureType } from '../../../contract/failures.js';
import { failureOf, failureTypeOf, isTimeout } from '../run/failures.js';

/** Why one attempt has no usable answer. */
export type Unanswered = Rejected | NotSent | UnknownOutcome;

/** The API said no. */
interface Rejected {
  kind: 'rejected';
  error: unknown;
}

/** Safe to send again. */
export interface NotSent {
  kind: 'not-sent';
  reason: string;
  /** How long the API asked to wait. */
  waitMs: number;
}

/** The call may have been carried out. */
export interface UnknownOutcome {
  kind: 'unknown';
  reason: string;
}

/** The call never left, or the API turned it away before doing anything. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  FailureType.serviceUnavailable,
  FailureType.rateLimited,
  FailureType.resourceBusy,
]);

/**
 * Classifies a failed attempt. A call may be sent again only when it provably never left or was turned
 * away unprocessed. A definite no is a failure of the run. Everything else is unknown.
 */
export function classifyAttempt(error: unknown): Unanswered {
  const type = failureTypeOf(error);
  const cause = failureOf(error);
  const reason = cause?.message ?? 'the attempt did not end in time, or its worker died';
  if (type !== undefined && TURNED_AWAY.has(type)) {
    const waitMs = Number(cause?.nextRetryDelay ?? 0);
    return { kind: 'not-sent', reason, waitMs };
  }
  const isUnclear =
    type === FailureType.outcomeUnknown ||
    type === FailureType.unexpectedResponse ||
    isTimeout(error);
  if (isUnclear) return { kind: 'unknown', reason };
  if (type !== undefined) return { kind: 'rejected', error };
  if (error instanceof ActivityFailure) return { kind: 'unknown', reason };
  throw error;
}
