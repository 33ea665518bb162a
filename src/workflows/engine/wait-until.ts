import { sleep } from '@temporalio/workflow';

import type { Run } from './run.js';

/** A wait whose end is known. @param until milliseconds since the epoch */
export async function waitUntil({ ledger }: Run, until: number, what: string): Promise<void> {
  const now = Date.now();
  if (now >= until) return;
  const [since, nextCheckAt] = [now, until].map((time) => new Date(time).toISOString());
  ledger.setWaiting({ for: what, since: since ?? '', ...(nextCheckAt && { nextCheckAt }) });
  await sleep(until - now, { summary: what });
  ledger.setWaiting(undefined);
}
