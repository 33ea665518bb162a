import { latestOf } from '../core/latest-of.js';
import type { MarkedRun } from '../run/run-types.js';

/**
 * When a run before this one was cut short: one of the same request, or the one that had a turn before.
 * Its calls may still be on their way. In milliseconds since the epoch.
 */
export function cutShortAtOf({ prepared, turns }: MarkedRun): number | undefined {
  return latestOf(prepared.cutShortAt, ...[...turns.held.values()].map((turn) => turn.cutShortAt));
}
