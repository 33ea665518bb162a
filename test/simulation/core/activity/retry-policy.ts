import type { temporal } from '@temporalio/proto';

import { fromMs, toMs } from '../timestamps.js';
import type { Failure } from '../messages.js';

/** When a local activity that failed is tried again. */
export interface RetryPolicy {
  readonly initialMs: number;
  readonly coefficient: number;
  readonly maximumMs: number;
  readonly maximumAttempts: number;
  readonly nonRetryableTypes: string[];
  /** As the context of an activity shows it, with its defaults. */
  readonly message: temporal.api.common.v1.IRetryPolicy;
}

export function readRetryPolicy(message: temporal.api.common.v1.IRetryPolicy): RetryPolicy {
  const initialMs = toMs(message.initialInterval) ?? 1000;
  const coefficient = message.backoffCoefficient ?? 0;
  const maximumMs = toMs(message.maximumInterval);
  const policy = {
    initialMs,
    coefficient: coefficient >= 1 ? coefficient : 2,
    maximumMs: maximumMs === undefined ? initialMs * 100 : Math.max(maximumMs, initialMs),
    maximumAttempts: Math.max(0, message.maximumAttempts ?? 0),
    nonRetryableTypes: message.nonRetryableErrorTypes ?? [],
  };
  return {
    ...policy,
    message: {
      initialInterval: fromMs(policy.initialMs),
      backoffCoefficient: policy.coefficient,
      maximumInterval: fromMs(policy.maximumMs),
      maximumAttempts: policy.maximumAttempts,
      nonRetryableErrorTypes: policy.nonRetryableTypes,
    },
  };
}

/** How long to wait before the next try; undefined where there is none. */
export function nextRetryMs(
  policy: RetryPolicy,
  attempt: number,
  failure: Failure | null | undefined,
): number | undefined {
  if (policy.maximumAttempts > 0 && attempt >= policy.maximumAttempts) return undefined;
  const info = failure?.applicationFailureInfo;
  if (info?.nonRetryable === true) return undefined;
  const type = (info?.type ?? '').toLowerCase();
  if (policy.nonRetryableTypes.some((other) => other.toLowerCase() === type)) return undefined;
  const explicit = toMs(info?.nextRetryDelay);
  if (explicit !== undefined) return explicit;
  if (attempt === 1) return policy.initialMs;
  return Math.min(policy.initialMs * policy.coefficient ** (attempt - 1), policy.maximumMs);
}
