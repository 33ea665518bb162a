import type { coresdk } from '@temporalio/proto';

import { toMs } from '../timestamps.js';
import { or, type Annotations, type Timestamp } from '../messages.js';
import { readRetryPolicy } from '../activity/retry-policy.js';
import type { LocalActivity } from './asked-local-activity.js';
import { fatal } from './machine.js';

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
