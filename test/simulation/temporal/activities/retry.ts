import type { Failure, RetryPolicy } from '../base/proto.js';
import { RetryState, TimeoutType } from '../base/proto.js';
import { toMs } from '../base/values.js';

const TIMEOUT_PREFIX = 'TemporalTimeout:';

/** How the server goes on after a failed attempt. */
export type Retry =
  | { state: typeof RetryState.RETRY_STATE_IN_PROGRESS; waitMs: number }
  | { state: Exclude<RetryStateValue, typeof RetryState.RETRY_STATE_IN_PROGRESS> };
type RetryStateValue = (typeof RetryState)[keyof typeof RetryState];

export interface Attempt {
  now: number;
  attempt: number;
  policy: RetryPolicy;
  /** Nothing begins after this. */
  expiresAt: number | undefined;
}

/** Whether and when an attempt that failed is repeated. */
export function nextAttempt(failure: Failure, { now, attempt, policy, expiresAt }: Attempt): Retry {
  if (!isRetryable(failure, policy.nonRetryableErrorTypes ?? [])) {
    return { state: RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE };
  }
  const maximumAttempts = policy.maximumAttempts ?? 0;
  if (maximumAttempts > 0 && attempt >= maximumAttempts) {
    return { state: RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED };
  }
  const waitMs = waitAfter(failure, policy, attempt);
  if (expiresAt !== undefined && now + waitMs > expiresAt) {
    return { state: RetryState.RETRY_STATE_TIMEOUT };
  }
  return { state: RetryState.RETRY_STATE_IN_PROGRESS, waitMs };
}

/** How long the policy lets the attempt after this one wait. */
export function waitAfter(failure: Failure, policy: RetryPolicy, attempt: number): number {
  const told = failure.applicationFailureInfo?.nextRetryDelay;
  if (told !== null && told !== undefined) return toMs(told);
  const initial = toMs(policy.initialInterval);
  const interval = initial * (policy.backoffCoefficient ?? 1) ** (attempt - 1);
  const maximum = toMs(policy.maximumInterval);
  return maximum > 0 ? Math.min(interval, maximum) : interval;
}

function isRetryable(failure: Failure, nonRetryable: readonly string[]): boolean {
  if (failure.terminatedFailureInfo ?? failure.canceledFailureInfo) return false;
  const timeout = failure.timeoutFailureInfo;
  if (timeout !== null && timeout !== undefined) {
    const name = RETRYABLE_TIMEOUTS.get(
      timeout.timeoutType ?? TimeoutType.TIMEOUT_TYPE_UNSPECIFIED,
    );
    return name !== undefined && !nonRetryable.includes(`${TIMEOUT_PREFIX}${name}`);
  }
  if (failure.serverFailureInfo) return failure.serverFailureInfo.nonRetryable !== true;
  const application = failure.applicationFailureInfo;
  if (application === null || application === undefined) return true;
  return application.nonRetryable !== true && !nonRetryable.includes(application.type ?? '');
}

const RETRYABLE_TIMEOUTS: ReadonlyMap<number, string> = new Map([
  [TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE, 'StartToClose'],
  [TimeoutType.TIMEOUT_TYPE_HEARTBEAT, 'Heartbeat'],
]);
