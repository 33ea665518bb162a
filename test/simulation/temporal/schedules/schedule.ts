import type { temporal } from '@temporalio/proto';

import type { Cancel } from '../../time/clock.js';
import type { Payload, Status, Timestamp } from '../base/proto.js';
import type { Spec } from './spec.js';

export type Action = NonNullable<temporal.api.schedule.v1.IScheduleAction['startWorkflow']>;
export type OverlapPolicy = temporal.api.enums.v1.ScheduleOverlapPolicy;

/** A start that was due. */
export interface Due {
  readonly nominalAt: number;
  /** The same, to the nanosecond where a client has said so. */
  readonly said?: Timestamp | null | undefined;
  readonly overlap: OverlapPolicy;
  readonly isManual: boolean;
}

export interface RecentAction {
  readonly scheduledAt: Timestamp;
  readonly startedAt: number;
  readonly workflowId: string;
  readonly runId: string;
  status: Status;
}

export interface Schedule {
  readonly scheduleId: string;
  readonly createdAt: number;
  readonly memo: Record<string, Payload>;
  readonly searchAttributes: Record<string, Payload>;
  readonly requestId: string;
  updatedAt: number | undefined;
  version: number;
  spec: Spec;
  action: Action;
  overlap: OverlapPolicy;
  catchUpMs: number;
  pauseOnFailure: boolean;
  isPaused: boolean;
  notes: string;
  remainingActions: number | undefined;
  /** Up to when what was due is done. */
  doneUntil: number;
  buffer: Due[];
  running: { workflowId: string; runId: string }[];
  recent: RecentAction[];
  actionCount: number;
  missedCatchUp: number;
  overlapSkipped: number;
  bufferDropped: number;
  cancelWake: Cancel | undefined;
  isDeleted: boolean;
}
