import {
  ActivityFailure,
  CancelledFailure,
  TimeoutFailure,
  type ApplicationFailure,
} from '@temporalio/workflow';

import { FailureType, withoutAdvice } from '../core/failures.js';
import { detailsOf, failureOf, failureTypeOf, isTimeout } from '../run/failures.js';

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
  /** What the API said, when something holds what the call needs (409). */
  busy?: string;
  /** Nobody took the call while the look that it rests on was fresh. */
  isStale?: true;
  /** The run was reset: its new Run Id. */
  resetTo?: string;
}

/** The call may have been carried out. */
export interface UnknownOutcome {
  kind: 'unknown';
  reason: string;
  /** The API has accepted the call. */
  isAccepted?: true;
  /** The failure, when the worker met a defect of its own: sending again would meet it again. */
  defect?: ApplicationFailure;
}

/** The call never left, or the API turned it away before doing anything. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  FailureType.serviceUnavailable,
  FailureType.rateLimited,
  FailureType.resourceBusy,
  // The worker could not even read what to send.
  FailureType.decryptionFailed,
]);

function isTurnedAway(type: FailureType | undefined): boolean {
  return type !== undefined && TURNED_AWAY.has(type);
}

/**
 * Classifies a failed attempt. A call may be sent again only when it provably never left or was turned
 * away unprocessed. A definite no is a failure of the run. Everything else is unknown.
 */
export function classifyAttempt(error: unknown): Unanswered {
  const type = failureTypeOf(error);
  const cause = failureOf(error);
  const reason = cause?.message ?? 'the attempt did not end in time, or its worker died';
  if (isTurnedAway(type)) return notSent(error, reason);
  if (isNotStarted(error)) {
    return { kind: 'not-sent', reason: 'the run took it back before a worker took it', waitMs: 0 };
  }
  if (isNotTaken(error)) return NOT_TAKEN;
  // It may have come after the call was sent.
  if (cause?.type === FailureType.defect) return { kind: 'unknown', reason, defect: cause };
  if (isUnclear(error)) return { kind: 'unknown', reason };
  if (type !== undefined) return { kind: 'rejected', error };
  if (error instanceof ActivityFailure) return { kind: 'unknown', reason };
  throw error;
}

function isUnclear(error: unknown): boolean {
  const type = failureTypeOf(error);
  return (
    type === FailureType.outcomeUnknown ||
    type === FailureType.unexpectedResponse ||
    isTimeout(error)
  );
}

function notSent(error: unknown, reason: string): NotSent {
  const waitMs = Number(failureOf(error)?.nextRetryDelay ?? 0);
  const { resetTo } = detailsOf(error);
  const reset = resetTo !== undefined && { resetTo };
  return { kind: 'not-sent', reason, waitMs, ...busyIn(error), ...reset };
}

function busyIn(error: unknown): Pick<NotSent, 'busy'> {
  if (failureTypeOf(error) !== FailureType.resourceBusy) return {};
  return { busy: withoutAdvice(failureOf(error)?.message ?? '', detailsOf(error).advice) };
}

/** The server itself ends it, so no worker can take it any more. */
function isNotTaken(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

const NOT_TAKEN: NotSent = {
  kind: 'not-sent',
  reason: 'no worker took it while what the run had seen was fresh: it looks again',
  waitMs: 0,
  isStale: true,
};

/** The server says so of an activity that no worker has taken when its end is asked for. */
const NOT_STARTED = 'ACTIVITY_ID_NOT_STARTED';

function isNotStarted(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof CancelledFailure && cause.details.includes(NOT_STARTED);
}
