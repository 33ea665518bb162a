import { sleep } from '@temporalio/workflow';

import { MAX_CALL_MS } from '../core/run-policy.js';
import { isoOf, latestOf } from '../core/times.js';
import type { MarkedRun, Run, TaskOutcome, WaitedFor } from '../run/run-types.js';

/**
 * When a run before this one was cut short: one of the same request, or the one that had a turn before.
 * Its calls may still be on their way. In milliseconds since the epoch.
 */
export function cutShortAtOf({ prepared, turns }: MarkedRun): number | undefined {
  return latestOf(prepared.cutShortAt, ...[...turns.held.values()].map((turn) => turn.cutShortAt));
}

/**
 * When the lists of the API show everything that these tasks made, in milliseconds since the epoch. A task that says what it
 * made leaves nothing to wait for, also one that has failed. One that names nothing, or that the API has forgotten, does not
 * say it.
 */
export function listsSettledAt({ tasks, prepared }: Run, taskIds: readonly string[]): number {
  const waited = taskIds.flatMap((id) => tasks.get(id) ?? []);
  const silent = waited.filter(({ outcome }) => outcome !== undefined && !isTelling(outcome));
  const ends = silent.map((task) => lastWriteOf(task));
  return Math.max(...ends) + prepared.policy.reconcileGraceMs;
}

function isTelling({ created = {} }: TaskOutcome): boolean {
  const named: unknown[] = Object.values(created);
  return named.some((ids) => Array.isArray(ids) && ids.length > 0);
}

/** A task may make something until its end. */
export function lastWriteOf({ since, endSeenAt = since }: WaitedFor): number {
  return endSeenAt;
}

/** Waits until a given time. @param until milliseconds since the epoch */
export async function waitUntil({ ledger }: Run, until: number, what: string): Promise<void> {
  const now = Date.now();
  if (now >= until) return;
  ledger.setWaiting({ for: what, since: isoOf(now), endsBy: isoOf(until) });
  await sleep(until - now, { summary: what });
  ledger.setWaiting(undefined);
}

/** Until when a call that was given up, or whose run was cut short, at this time can still arrive and show. */
export function lostCallsEndAt({ prepared }: Pick<Run, 'prepared'>, cutShortAt: number): number {
  return cutShortAt + MAX_CALL_MS + prepared.policy.reconcileGraceMs;
}

/**
 * Waits until no call of a terminated run can still arrive. Such a call could undo what this run does,
 * even after this run has seen it done.
 *
 * @param cutShortAt when that run ended, in milliseconds since the epoch; `undefined` when none did
 */
export async function waitOutLostCalls(
  run: Run,
  cutShortAt: number | undefined,
  what: string,
): Promise<void> {
  if (cutShortAt === undefined) return;
  await waitUntil(run, lostCallsEndAt(run, cutShortAt), what);
}
