import { randomUUID } from 'node:crypto';

import { plannedSchema, type Operations, type Plan } from '../../../src/contract/index.js';
import { planIdFor } from '../../../src/engine/core/names.js';
import { workflowIdFor } from '../../../src/contract/wire/names.js';
import type { Scenario } from './scenario.js';

export interface PlannedRequest<O extends keyof Operations> {
  input: Omit<Operations[O]['input'], 'account'>;
  requestId?: string;
}

/** Plans a request. The history of the plan is replayed like that of any run. */
export async function planOf<O extends keyof Operations>(
  { start, account }: Pick<Scenario, 'start' | 'account'>,
  operation: O,
  { input, requestId = randomUUID() }: PlannedRequest<O>,
): Promise<Plan> {
  const planId = planIdFor(workflowIdFor(operation, account, requestId), randomUUID().slice(0, 8));
  const run = await start(operation, { ...input, planOnly: true }, planId);
  return plannedSchema.parse(await run.result()).plan;
}
