import type { Failure } from '../base/proto.js';
import { RetryState } from '../base/proto.js';
import { nextAttempt, type Retry } from '../activities/retry.js';
import { fullRetryPolicy } from '../activities/schedule.js';
import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** Whether a failed run is repeated. Most have no retry policy. */
export function workflowRetry(server: Server, execution: Execution, failure: Failure): Retry {
  const policy = execution.started.retryPolicy;
  if (policy === null || policy === undefined) {
    return { state: RetryState.RETRY_STATE_RETRY_POLICY_NOT_SET };
  }
  return nextAttempt(failure, {
    now: server.clock.now(),
    attempt: execution.started.attempt ?? 1,
    policy: fullRetryPolicy(policy),
    expiresAt: execution.executionExpiresAt,
  });
}
