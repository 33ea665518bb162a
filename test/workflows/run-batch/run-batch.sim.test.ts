import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../../../src/contract/batch-lines.js';
import type { RunBatchInput } from '../../../src/contract/operations/types.js';
import { batchReportQuery } from '../../../src/contract/wire/messages.js';
import { createGcoreWorkflows } from '../../../src/client/index.js';
import { restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { until } from '../../support/timing/until.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { idsFrom } from '../../support/worlds/ssh-keys.js';

const power = (of: number) => ({ instanceId: instanceIdOf(of) });
const many = (count: number) => idsFrom(1, count).map(power);
const running = (count: number) => stateWithInstances(idsFrom(1, count).map((of) => ({ of })));

describe('runBatch', () => {
  it('runs the operation once for each item, and reports every run', () =>
    inScenario({ state: running(3), record: 'batch-done' }, async (scenario) => {
      const { start, account, mutations } = scenario;
      const input: RunBatchInput = {
        operation: 'setInstancePower',
        items: [...many(2), { ...power(3), requestId: 'the-last' }],
        defaults: { action: 'stop' },
        labels: { team: 'media' },
      };
      const batch = await start('runBatch', input, `run-batch/${account}/night`);

      const { counts, report } = await batch.result();

      expect(counts).toMatchObject({ asked: 3, succeeded: 3, failed: 0, pending: 0 });
      const idOf = (item: string) => `set-instance-power/${account}/${item}`;
      const lines = [...batchLines(report)];
      const workflowId = expect.stringMatching(new RegExp(`^${idOf('night')}-[0-9a-f]{16}$`));
      expect(lines).toEqual([
        { line: 1, workflowId, outcome: 'succeeded' },
        { line: 2, workflowId, outcome: 'succeeded' },
        { line: 3, workflowId: idOf('the-last'), outcome: 'succeeded' },
      ]);
      expect(mutations()).toHaveLength(3);
      const item = scenario.client.workflow.getHandle(lines[0]?.workflowId ?? '');
      expect(await item.query(statusQuery)).toMatchObject({
        phase: 'succeeded',
        labels: { group: 'night', team: 'media' },
      });
    }));

  it('reports what failed by its class, and starts again only that when it is repeated', () =>
    inScenario({ state: running(3), record: 'batch-items-failed' }, async (scenario) => {
      const { start, simulator, account, mutations } = scenario;
      const input: RunBatchInput = {
        operation: 'setInstancePower',
        items: many(3),
        defaults: { action: 'stop' },
      } as const;
      simulator.faults.add({
        match: { method: 'POST', path: new RegExp(instanceIdOf(3)), times: 1 },
        action: { kind: 'status', status: 400, body: { message: 'no such action' } },
      });
      const batch = await start('runBatch', input, `run-batch/${account}/night`);

      const { type, details } = await failureOfRun(batch);

      expect(type).toBe('ItemsFailed');
      expect(details.counts).toMatchObject({
        succeeded: 2,
        failed: 1,
        byClass: { InvalidRequest: 1 },
      });
      expect((await batch.query(batchReportQuery)).failed).toEqual([
        { class: 'InvalidRequest', text: expect.any(String), lines: '3' },
      ]);
      const again = await start('runBatch', input, `run-batch/${account}/night`);
      const { counts, report } = await again.result();
      expect(counts).toMatchObject({ succeeded: 3, failed: 0 });
      expect(report.before).toBe('1-2');
      // One of them was refused.
      expect(mutations()).toHaveLength(4);
    }));

  it('reads a list by reference, and goes on in new histories', () => {
    const items = many(10).map((item) => ({ ...item, action: 'stop' }));
    return inScenario(
      {
        state: running(10),
        manifests: { 'off.jsonl': items },
        policy: { mostEvents: 30 },
        record: 'batch-went-on',
      },
      async ({ start, mutations }) => {
        const manifest = { url: 'file:off.jsonl' };
        const input: RunBatchInput = { operation: 'setInstancePower', manifest, atOnce: 5 };
        const batch = await start('runBatch', input);

        const { counts, report } = await batch.result();

        expect(counts).toMatchObject({ asked: 10, succeeded: 10 });
        expect(report).toMatchObject({ lines: '1-10', succeeded: '1-10', open: '' });
        expect(new Set(mutations())).toHaveProperty('size', 10);
        expect(mutations()).toHaveLength(10);
      },
    );
  });

  it('is done once every address is protected, although each run holds it for longer', () =>
    inScenario({}, async (scenario) => {
      const { start, client, account } = scenario;
      const addresses = ['203.0.113.7', '203.0.113.8'];
      const batch = await start('runBatch', {
        operation: 'protectIp',
        items: addresses.map((ip_address) => ({ profile: { ip_address } })),
        defaults: { profile: { profile_template: 12, fields: [PORTS] }, holdFor: '1 hour' },
        atOnce: 1,
      });

      const { counts } = await batch.result();

      expect(counts).toMatchObject({ succeeded: 2, pending: 0 });
      const gcore = createGcoreWorkflows({ client });
      const runs = addresses.map((address) => `protect-ip/${account}/${address}`);
      await until('the list shows what they hold', async () => {
        const held = await gcore.list({ phase: 'protected', account });
        return runs.every((id) => held.some(({ workflowId }) => workflowId === id));
      });
      await Promise.all(
        runs.map((id) => client.workflow.getHandle(id).executeUpdate(restoreUpdate)),
      );
      await Promise.all(runs.map((id) => client.workflow.getHandle(id).result()));
    }));
});
