import { randomUUID } from 'node:crypto';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import type { Scenario } from '../../simulation/scenario.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { until } from '../../support/timing/until.js';

export const ADDRESSES = ['203.0.113.7', '203.0.113.8'] as const;
export const ANY_POST = { method: 'POST', path: /./, times: 1_000_000 } as const;
export const AWAY = { kind: 'status', status: 503 } as const;

export interface OpenBatch {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  batch: string;
  /** Workflow Ids of the runs, in the order of the list. */
  first: string;
  second: string;
  repeat: () => ReturnType<GcoreWorkflows['start']>;
}

/** Starts a batch whose first address is protected for an hour, while the second one cannot be. */
export async function openBatch(scenario: Scenario, more: object = {}): Promise<OpenBatch> {
  const { client, taskQueue, account, simulator } = scenario;
  const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000 });
  const requestId = `incident-${randomUUID().slice(0, 8)}`;
  const input = {
    ...{ account, operation: 'protectIp' as const, atOnce: 1 },
    items: ADDRESSES.map((ip_address) => ({ profile: { ip_address } })),
    defaults: { profile: { profile_template: 12, fields: [PORTS] }, holdFor: '1 hour' },
    ...more,
  };
  const repeat = () => gcore.start('runBatch', { requestId, input });
  const [first = '', second = ''] = ADDRESSES.map((one) => `protect-ip/${account}/${one}`);
  const { workflowId: batch } = await repeat();
  await until('the first is protected', async () => (await heldUntil(gcore, first)) > 0);
  simulator.faults.add({ match: ANY_POST, action: AWAY });
  await until('only the second goes on', async () => {
    const { items } = await gcore.status(batch);
    return items?.succeeded === 1 && items.pending === 1;
  });
  return { scenario, gcore, batch, first, second, repeat };
}

/** When the run restores what was before, in milliseconds since the epoch; 0 while it holds nothing. */
export async function heldUntil(gcore: GcoreWorkflows, workflowId: string): Promise<number> {
  const status = await gcore.status(workflowId).catch(() => undefined);
  return status?.waiting?.holds === undefined ? 0 : Date.parse(status.waiting.nextCheckAt ?? '');
}
