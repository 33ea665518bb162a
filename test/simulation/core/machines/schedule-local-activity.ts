import type { coresdk } from '@temporalio/proto';

import { toMs } from '../timestamps.js';
import { or, type Annotations, type Payload, type Timestamp } from '../messages.js';
import { readRetryPolicy, type RetryPolicy } from '../activity/retry-policy.js';
import { fatal } from './machine.js';

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

const LOCAL_RETRY_THRESHOLD_MS = 60_000;

export function readLocalActivity(
  asked: coresdk.workflow_commands.IScheduleLocalActivity,
  annotations: Annotations,
  now: Timestamp,
): LocalActivity {
  const scheduleToCloseMs = toMs(asked.scheduleToCloseTimeout);
  const startToCloseMs = toMs(asked.startToCloseTimeout);
  const scheduleToStartMs = toMs(asked.scheduleToStartTimeout);
  if (scheduleToCloseMs === undefined && startToCloseMs === undefined) {
    throw fatal(
      `Invalid schedule local activity request (seq ${asked.seq ?? 0}): One or both of schedule_to_close or start_to_close timeouts must be set for local activities`,
    );
  }
  return {
    seq: or(asked.seq, 0),
    activityId: or(asked.activityId, ''),
    activityType: or(asked.activityType, ''),
    attempt: or(asked.attempt, 0),
    headers: or(asked.headers, {}),
    args: or(asked.arguments, []),
    scheduleToStartMs: least(scheduleToStartMs, scheduleToCloseMs),
    scheduleToCloseMs,
    startToCloseMs: least(startToCloseMs, scheduleToCloseMs),
    retryPolicy: readRetryPolicy(or(asked.retryPolicy, {})),
    localRetryThresholdMs: or(toMs(asked.localRetryThreshold), LOCAL_RETRY_THRESHOLD_MS),
    cancellationType: or(asked.cancellationType, 0),
    includesArguments: or(asked.includeArgumentsIntoMarker, false),
    annotations,
    originalScheduleTime: or(asked.originalScheduleTime, now),
  };
}

/** No part may take longer than the whole; a part without a limit has none. */
function least(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined ? part : Math.min(part, whole);
}
