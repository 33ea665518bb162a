import { sleep } from '@temporalio/workflow';

import { isoOf } from '../core/iso-of.js';
import type { Run } from '../run/run-types.js';

/** Waits until a given time. @param until milliseconds since the epoch */
export async function waitUntil({ ledger }: Run, until: number, what: string): Promise<void> {
  const now = Date.now();
  if (now >= until) return;
  ledger.setWaiting({ for: what, since: isoOf(now), endsBy: isoOf(until) });
  await sleep(until - now, { summary: what });
  ledger.setWaiting(undefined);
}

/** So long after the end of its run, a call has ended: see `http/send-in-turn`. */
export const MAX_CALL_MS = 20_000;

/** Until when a call of a run that was cut short at this time can still arrive and show. */
export function lostCallsEndAt({ prepared }: Run, cutShortAt: number): number {
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
