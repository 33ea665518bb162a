import { sleep } from '@temporalio/workflow';

import { isoOf } from '../../../contract/iso-of.js';
import type { Run } from '../run/run-types.js';

/** A wait whose end is known. @param until milliseconds since the epoch */
export async function waitUntil({ ledger }: Run, until: number, what: string): Promise<void> {
  const now = Date.now();
  if (now >= until) return;
  ledger.setWaiting({ for: what, since: isoOf(now), nextCheckAt: isoOf(until) });
  await sleep(until - now, { summary: what });
  ledger.setWaiting(undefined);
}

/** An attempt ends by itself after this time: the start-to-close timeout of a call. */
export const MAX_CALL_MS = 20_000;

/**
 * Waits until nothing can come any more of what a run had sent when it was ended from outside: such
 * a call may undo what this run does, after it has seen it done.
 *
 * @param cutShortAt milliseconds since the epoch; `undefined` when no run was
 */
export async function waitOutLostCalls(
  run: Run,
  cutShortAt: number | undefined,
  what: string,
): Promise<void> {
  if (cutShortAt === undefined) return;
  await waitUntil(run, cutShortAt + MAX_CALL_MS + run.prepared.policy.reconcileGraceMs, what);
}
