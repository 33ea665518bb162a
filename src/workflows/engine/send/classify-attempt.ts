import { ActivityFailure } from '@temporalio/workflow';

import { FailureType } from '../../../contract/failures.js';
import { failureOf, failureTypeOf, isTimeout } from '../run/failures.js';

/** What one attempt came to. */
export type Attempt =
  | { kind: 'accepted'; taskIds: string[] }
  | { kind: 'rejected'; error: unknown }
  | { kind: 'not-sent'; reason: string; waitMs: number }
  | { kind: 'unknown'; reason: string };

/** The call never left, or was turned away before anything was done. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  FailureType.serviceUnavailable,
  FailureType.rateLimited,
  FailureType.resourceBusy,
]);

/**
 * Sorts a failed attempt. Safe to send again is only what provably never left or was turned away
 * unprocessed; a definite no is a failure of the run; everything else is unknown.
 */
export function classifyAttempt(error: unknown): Exclude<Attempt, { kind: 'accepted' }> {
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
