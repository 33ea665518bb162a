import type { coresdk } from '@temporalio/proto';

import type { RetryPolicy } from '../activity/retry-policy.js';
import type { Annotations, Payload, Timestamp } from '../messages.js';

/** A local activity as lang asks for it, checked. Times are in milliseconds. */
export interface LocalActivity {
  readonly seq: number;
  readonly activityId: string;
  readonly activityType: string;
  readonly attempt: number;
  readonly headers: Record<string, Payload>;
  readonly args: Payload[];
  readonly scheduleToStartMs: number | undefined;
  readonly scheduleToCloseMs: number | undefined;
  readonly startToCloseMs: number | undefined;
  readonly retryPolicy: RetryPolicy;
  readonly localRetryThresholdMs: number;
  readonly cancellationType: coresdk.workflow_commands.ActivityCancellationType;
  readonly includesArguments: boolean;
  readonly annotations: Annotations;
  readonly originalScheduleTime: Timestamp;
}
