import proto from '@temporalio/proto';
import type { coresdk } from '@temporalio/proto';

import type { ActivityTask } from '../messages.js';

const { ActivityCancelReason } = proto.coresdk.activity_task;

export type CancelReason = coresdk.activity_task.ActivityCancelReason;
export type CancelDetails = coresdk.activity_task.IActivityCancellationDetails;

/** What lang is told when an activity is to end. */
export function cancelTask(
  taskToken: Uint8Array,
  reason: CancelReason,
  details: CancelDetails = detailsOf(reason),
): ActivityTask {
  return { taskToken, cancel: { reason, details } };
}

export function detailsOf(reason: CancelReason): CancelDetails {
  return {
    isNotFound: reason === ActivityCancelReason.NOT_FOUND,
    isCancelled: reason === ActivityCancelReason.CANCELLED,
    isPaused: reason === ActivityCancelReason.PAUSED,
    isTimedOut: reason === ActivityCancelReason.TIMED_OUT,
    isWorkerShutdown: reason === ActivityCancelReason.WORKER_SHUTDOWN,
    isReset: reason === ActivityCancelReason.RESET,
  };
}
