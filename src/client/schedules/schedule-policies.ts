import type { ScheduleOverlapPolicy } from '@temporalio/client';

import type { Fault } from '../../engine/core/failures.js';
import { parseDuration } from '../../engine/core/times.js';
import { toDurationText } from './schedule-timing.js';

/**
 * What a schedule does when its next run is due and the last one is still open. There is no way to
 * terminate it: a terminated run undoes nothing and leaves the outcome of its last call unknown.
 */
export const OVERLAPS = {
  /** Leaves the new one out. */
  skip: 'SKIP',
  /** Starts it when the open one has ended; of several that are due, one. */
  wait: 'BUFFER_ONE',
  /** Starts each that was due, one after the other. */
  'wait-all': 'BUFFER_ALL',
  /** Cancels the open one, which undoes its work, and then starts the new one. */
  cancel: 'CANCEL_OTHER',
  /** Starts it beside the open one. Runs on one resource take turns. */
  allow: 'ALLOW_ALL',
} as const satisfies Record<string, ScheduleOverlapPolicy>;
export type Overlap = keyof typeof OVERLAPS;

export const DEFAULT_OVERLAP: Overlap = 'skip';
/** A nightly run is made up for when the Temporal server was away that night. */
export const DEFAULT_CATCH_UP = '1 day';

/** The server's own minimum: nothing that is due is later than this. */
const NO_CATCH_UP_MS = 10_000;
const NONE = 'none';

export function overlapFaults(overlap: string): Fault[] {
  if (Object.hasOwn(OVERLAPS, overlap)) return [];
  const message = `must be one of ${Object.keys(OVERLAPS).join(', ')}`;
  return [{ path: 'overlap', message }];
}

export function catchUpFaults(catchUp: string): Fault[] {
  if (catchUp === NONE) return [];
  const parsed = parseDuration(catchUp);
  if (!parsed.ok) return [{ path: 'catchUp', message: `${parsed.message}, or "none"` }];
  const isFit = parsed.ms >= NO_CATCH_UP_MS && parsed.ms % 1_000 === 0;
  const message = 'must be at least 10 seconds, in whole seconds, or "none"';
  return isFit ? [] : [{ path: 'catchUp', message }];
}

/** Milliseconds of a text without faults. */
export function catchUpMs(catchUp: string): number {
  const parsed = parseDuration(catchUp);
  return parsed.ok ? parsed.ms : NO_CATCH_UP_MS;
}

export function catchUpText(ms: number): string {
  return ms <= NO_CATCH_UP_MS ? NONE : toDurationText(ms);
}

/** Undefined for a policy that only other tools set, such as TERMINATE_OTHER. */
export function overlapOf(policy: ScheduleOverlapPolicy): Overlap | undefined {
  return names(OVERLAPS).find((name) => OVERLAPS[name] === policy);
}

function names(overlaps: typeof OVERLAPS): Overlap[] {
  const known = Object.keys(overlaps);
  return known.filter((name): name is Overlap => Object.hasOwn(overlaps, name));
}
