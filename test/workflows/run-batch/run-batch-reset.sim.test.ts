import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../../../src/contract/batch-lines.js';
import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { until } from '../../support/timing/until.js';

const ADDRESSES = ['203.0.113.7', '203.0.113.8'] as const;
const ANY_POST = { method: 'POST', path: /./, times: 1_000_000 } as const;
const AWAY = { kind: 'status', status: 503 } as const;
const HOUR_MS = 3_600_000;

interface Opened {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  batch: string;
  /** Workflow Ids of the runs, in the order of the list. */
  ids: string[];
  repeat: () => ReturnType<GcoreWorkflows['start']>;
  reset: (point: ResetPoint) => Promise<void>;
}

/** A batch whose first address is protected for an hour, while the second one cannot be. */
function whileOpen(more: object, test: (opened: Opened) => Promise<void>): Promise<void> {
  return inScenario({ policy: { mostEvents: 60 } }, async (scenario) => {
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
    const ids = ADDRESSES.map((one) => `protect-ip/${account}/${one}`);
    const { workflowId: batch } = await repeat();
    await until('the first is protected', async () => (await heldUntil(gcore, ids[0])) > 0);
    simulator.faults.add({ match: ANY_POST, action: AWAY });
    await until('only the second goes on', async () => {
      const { items } = await gcore.status(batch);
      return items?.succeeded === 1 && items.pending === 1;
    });
    const reset = async (point: ResetPoint) => {
      await resetRun(client, client.workflow.getHandle(batch), point);
    };

    await test({ scenario, gcore, batch, ids, repeat, reset });

    simulator.faults.clear();
    await gcore.result('runBatch', batch).catch(() => undefined);
    for (const id of ids) {
      await gcore.restore(id).catch(() => undefined);
      await gcore.result('protectIp', id).catch(() => undefined);
    }
  });
}

/** When the run restores what was before, in milliseconds since the epoch; 0 while it holds nothing. */
async function heldUntil(gcore: GcoreWorkflows, workflowId = ''): Promise<number> {
  const status = await gcore.status(workflowId).catch(() => undefined);
  return status?.waiting?.holds === undefined ? 0 : Date.parse(status.waiting.nextCheckAt ?? '');
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const POINTS = [
  ['to its begin', 'the first workflow task'],
  ['to the start of its items', { sending: 'startItems' }],
] as const;

describe('a batch that is reset after somebody has repeated it', () => {
  it.each(POINTS)('asks once more what it had begun before, %s', (_, point) =>
    whileOpen({}, async ({ gcore, batch, ids: [first], repeat, reset }) => {
      // A paused batch asks nothing before its resume.
      await gcore.pause(batch);
      await pass(60_000);
      const repeatedAt = Date.now();
      await repeat();
      await reset(point);
      await until('it is open again', async () => {
        const status = await gcore.resume(batch).catch(() => undefined);
        return status !== undefined;
      });
      await pass(120_000);

      expect(await heldUntil(gcore, first)).toBeGreaterThanOrEqual(repeatedAt + HOUR_MS);
    }),
  );
});

describe('a batch that is reset, and aborted before it has found its items again', () => {
  it.each(POINTS)('names what it had begun, and cancels it where it is to, %s', (_, point) =>
    whileOpen({ onAbort: 'cancel' }, async ({ gcore, batch, ids, reset }) => {
      await gcore.pause(batch);
      await reset(point);
      await gcore.abort(batch);
      await gcore.result('runBatch', batch).catch(() => undefined);

      const known = [...batchLines(await gcore.batchReport(batch))];
      expect(known.map(({ workflowId }) => workflowId)).toEqual(ids);
      await until('what went on is cancelled', async () => {
        const { state } = await gcore.summary(ids[1] ?? '');
        return state === 'CANCELLED';
      });
    }),
  );

  it('names it also in a later history than the one that was reset', () =>
    whileOpen({}, async ({ scenario, gcore, batch, ids: [first = '', second], repeat, reset }) => {
      const again = await gcore.summary(first);
      await gcore.restore(first);
      await gcore.result('protectIp', first);
      await repeat();
      await until('the first goes on again', async () => {
        return (await gcore.summary(first)).runId !== again.runId;
      });
      await reset('the first workflow task');
      const { runId } = await gcore.summary(batch);
      // Each resume makes its history longer.
      await until('a new history has begun', async () => {
        await gcore.pause(batch).catch(() => undefined);
        await gcore.resume(batch).catch(() => undefined);
        return (await gcore.summary(batch)).runId !== runId;
      });
      const before = [...batchLines(await gcore.batchReport(batch))];
      await gcore.abort(batch);
      await gcore.result('runBatch', batch).catch(() => undefined);

      expect(before.map(({ workflowId }) => workflowId)).toEqual([first, undefined]);
      const known = [...batchLines(await gcore.batchReport(batch))];
      expect(known.map(({ workflowId }) => workflowId)).toEqual([first, second]);
      scenario.simulator.faults.clear();
    }));
});
