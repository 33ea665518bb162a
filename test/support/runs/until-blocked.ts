import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { until } from '../timing/until.js';

export async function blockedAs(run: WorkflowHandle): Promise<string | undefined> {
  return (await run.query(statusQuery)).blocked?.type;
}

export function untilBlocked(run: WorkflowHandle, type: string): Promise<void> {
  return until(`the run is blocked as ${type}`, async () => (await blockedAs(run)) === type);
}
