import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import {
  ApplicationFailure,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';

import { batchLines } from '../../../src/contract/batch-lines.js';
import { createGcoreWorkflows } from '../../../src/client/index.js';
import { inScenario } from '../../simulation/scenario.js';
import { joinUpdate } from '../../../src/engine/core/messages.js';
import { PORTS } from '../../support/inputs/protect-input.js';
import { createGate } from '../../support/timing/gate.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { until } from '../../support/timing/until.js';
import { ADDRESSES, ANY_POST, AWAY, heldUntil, openBatch, type OpenBatch } from './open-batch.js';
import { pass } from '../../support/timing/pass.js';

const HOUR_MS = 3_600_000;

/** Each takes the repeats without another run, and ends well. */
function whileOpen(test: (repeated: OpenBatch) => Promise<void>): Promise<void> {
  return inScenario({}, async (scenario) => {
    const opened = await openBatch(scenario);
    const { gcore, batch, first, second } = opened;
    const { runId } = await gcore.summary(batch);

    await test(opened);

    scenario.simulator.faults.clear();
    expect((await gcore.result('runBatch', batch)).counts).toMatchObject({
      ...{ asked: 2, succeeded: 2, failed: 0 },
    });
    expect((await gcore.summary(batch)).runId).toBe(runId);
    for (const id of [first, second]) {
      await gcore.restore(id);
      await gcore.result('protectIp', id);
    }
  });
}

describe('a batch that is repeated while it is open', () => {
  it('extends what it holds, as the repeat of a single request does', () =>
    whileOpen(async ({ gcore, batch, first, repeat }) => {
      const before = await heldUntil(gcore, first);
      await pass(5_000);

      expect(await repeat()).toMatchObject({ workflowId: batch, outcome: 'joined' });

      await until('it is extended', async () => (await heldUntil(gcore, first)) > before);
      expect(await heldUntil(gcore, first)).toBeGreaterThanOrEqual(before + 5_000);
      const { asked } = await gcore.status(batch);
      expect(asked?.at(-1)).toMatchObject({ for: 'extend' });
    }));

  it('starts again what has ended since', () =>
    whileOpen(async ({ scenario, gcore, first, repeat }) => {
      const { runId } = await gcore.summary(first);
      await gcore.restore(first);
      await gcore.result('protectIp', first);

      expect(await repeat()).toMatchObject({ outcome: 'joined' });

      await until('it goes on again', async () => (await gcore.summary(first)).runId !== runId);
      scenario.simulator.faults.clear();
      await until('it is protected again', async () => (await heldUntil(gcore, first)) > 0);
    }));

  it('asks nothing while it is paused, and waits for the resume without a look at the time', () =>
    whileOpen(async ({ scenario, gcore, batch, first, repeat }) => {
      const events = async () =>
        (await scenario.client.workflow.getHandle(batch).describe()).historyLength;
      const before = await heldUntil(gcore, first);
      await gcore.pause(batch);
      await pass(5_000);
      await repeat();
      const length = await events();
      // A look at what goes on takes ten minutes at most.
      await pass(11 * 60_000);
      expect(await heldUntil(gcore, first)).toBe(before);
      expect((await events()) - length).toBeLessThan(40);

      await gcore.resume(batch);

      await until('it is extended', async () => (await heldUntil(gcore, first)) > before);
    }));
});

describe('a batch that is repeated while somebody else protects one of its addresses in another way', () => {
  it('says that this line is not as asked, and not that it is done', () =>
    inScenario({}, async (scenario) => {
      const { gcore, batch, first, second, repeat } = await openBatch(scenario);
      await gcore.restore(first);
      await gcore.result('protectIp', first);
      const fields = [{ ...PORTS, field_value: [9090] }];
      const profile = { ip_address: ADDRESSES[0], profile_template: 12, fields };
      const { account } = scenario;
      await gcore.start('protectIp', { input: { account, profile, holdFor: '1 hour' } });

      expect(await repeat()).toMatchObject({ workflowId: batch, outcome: 'joined' });

      scenario.simulator.faults.clear();
      await expect(gcore.result('runBatch', batch)).rejects.toMatchObject({ type: 'ItemsFailed' });
      expect(await gcore.batchReport(batch)).toMatchObject({
        ...{ succeeded: '2', failed: [{ class: 'RequestConflict', lines: '1' }] },
      });
      for (const id of [first, second]) {
        await until('it holds', async () => (await heldUntil(gcore, id)) > 0);
        await gcore.restore(id);
        await gcore.result('protectIp', id);
      }
    }));
});

describe('a repeated batch whose list cannot be read any more', () => {
  it('says at its end which lines may have been started again', () => {
    const items = ADDRESSES.map((ip_address) => ({ profile: { ip_address } }));
    return inScenario({ manifests: { 'off.jsonl': items } }, async (scenario) => {
      const { client, taskQueue, account, simulator, writeManifest } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000 });
      const requestId = `incident-${randomUUID().slice(0, 8)}`;
      const input = {
        ...{ account, operation: 'protectIp' as const, atOnce: 1 },
        manifest: { url: 'file:off.jsonl' },
        defaults: { profile: { profile_template: 12, fields: [PORTS] }, holdFor: '1 hour' },
      };
      const repeat = () => gcore.start('runBatch', { requestId, input });
      const { workflowId } = await repeat();
      const first = `protect-ip/${account}/${ADDRESSES[0]}`;
      await until('the first is protected', async () => (await heldUntil(gcore, first)) > 0);
      simulator.faults.add({ match: ANY_POST, action: AWAY });
      await until('only the second goes on', async () => {
        const { items: counts } = await gcore.status(workflowId);
        return counts?.succeeded === 1 && counts.pending === 1;
      });
      writeManifest('off.jsonl', []);
      await repeat();
      await gcore.abort(workflowId);
      await gcore.result('runBatch', workflowId).catch(() => undefined);

      const { steps } = await gcore.status(workflowId);
      expect(steps.at(-1)?.note).toContain('nobody knows whether the lines 1-2 were started again');
      simulator.faults.clear();
      for (const { workflowId: id } of [...batchLines(await gcore.batchReport(workflowId))]) {
        await until('it holds', async () => (await heldUntil(gcore, id ?? '')) > 0);
        await gcore.restore(id ?? '');
        await gcore.result('protectIp', id ?? '');
      }
    });
  });
});

type Asking = Pick<OpenBatch, 'gcore' | 'batch' | 'first' | 'repeat'>;

/** A batch that asks its runs once more. One of them restores what was before: who asks it waits for its end. */
function whileAsking(test: (asking: Asking) => Promise<void>): Promise<void> {
  return inScenario({}, async (scenario) => {
    const { client, taskQueue, account, simulator } = scenario;
    const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000 });
    const addresses = [...ADDRESSES, '203.0.113.9'];
    const input = {
      ...{ account, operation: 'protectIp' as const, atOnce: 1 },
      items: addresses.map((ip_address) => ({ profile: { ip_address } })),
      defaults: { profile: { profile_template: 12, fields: [PORTS] }, holdFor: '1 hour' },
    };
    const requestId = `incident-${randomUUID().slice(0, 8)}`;
    const repeat = () => gcore.start('runBatch', { requestId, input });
    const ids = addresses.map((one) => `protect-ip/${account}/${one}`);
    const [first = '', second = ''] = ids;
    const { workflowId: batch } = await repeat();
    await until('two are protected', async () => (await heldUntil(gcore, second)) > 0);
    simulator.faults.add({ match: ANY_POST, action: AWAY });
    simulator.faults.add({ match: { ...ANY_POST, method: 'DELETE' }, action: AWAY });
    await until('only the third goes on', async () => {
      const { items } = await gcore.status(batch);
      return items?.succeeded === 2 && items.pending === 1;
    });
    await gcore.restore(second);
    const before = await heldUntil(gcore, first);
    await pass(5_000);
    await repeat();
    await until('it has asked the first', async () => (await heldUntil(gcore, first)) > before);

    await test({ gcore, batch, first, repeat });

    simulator.faults.clear();
    await gcore.result('runBatch', batch);
    for (const id of ids) {
      await until('it holds', async () => (await heldUntil(gcore, id)) > 0);
      await gcore.restore(id);
      await gcore.result('protectIp', id);
    }
  });
}

function refusalOf(error: unknown): unknown {
  if (error instanceof WorkflowNotFoundError) return 'over';
  const isRefused = error instanceof WorkflowUpdateFailedError;
  return isRefused && error.cause instanceof ApplicationFailure ? error.cause.type : error;
}

describe('a batch that fails, and looks for what it has begun', () => {
  it('takes no repeat any more', () => {
    const off = (of: number) => ({ instanceId: instanceIdOf(of), action: 'stop' as const });
    const state = stateWithInstances([{ of: 1 }, { of: 2 }]);
    return inScenario({ state, manifests: { 'off.jsonl': [off(1), off(2)] } }, async (scenario) => {
      const { start, simulator, writeManifest } = scenario;
      const gate = createGate();
      const action = { kind: 'delay', until: gate.opened } as const;
      simulator.faults.add({ match: { method: 'POST' }, action });
      const manifest = { url: 'file:off.jsonl' };
      const operation = 'setInstancePower' as const;
      const batch = await start('runBatch', {
        ...{ operation, manifest, atOnce: 1, onBlocked: 'fail' as const },
      });
      await until('the first goes on', () => simulator.inFlight().length > 0);
      writeManifest('off.jsonl', []);
      gate.open();
      await until('it looks for the second', async () => {
        const { events } = await batch.fetchHistory();
        return (events ?? []).some(
          ({ activityTaskScheduledEventAttributes: scheduled }) =>
            scheduled?.activityType?.name === 'findItems',
        );
      });

      const joined = batch.executeUpdate(joinUpdate, { args: [{}] });

      // It may be over by then: its list is a real file, which takes real time.
      await expect(joined.catch(refusalOf)).resolves.toMatch(/^(?:Refused|over)$/);
      await expect(batch.result()).rejects.toMatchObject({ cause: { type: 'ManifestUnreadable' } });
    });
  });
});

describe('a batch that is repeated while it still asks its runs because of an earlier repeat', () => {
  it('asks those once more that have answered before', () =>
    whileAsking(async ({ gcore, first, repeat }) => {
      await pass(5_000);
      const repeatedAt = Date.now();
      await repeat();
      await pass(120_000);

      expect(await heldUntil(gcore, first)).toBeGreaterThanOrEqual(repeatedAt + HOUR_MS);
    }));

  it('is a batch of its own when that one was cancelled', () =>
    whileAsking(async ({ gcore, batch, first, repeat }) => {
      await pass(5_000);
      const { runId } = await gcore.summary(batch);
      await gcore.cancel(batch);
      await pass(2_000);
      const repeatedAt = Date.now();

      expect(await repeat()).toMatchObject({ workflowId: batch, outcome: 'started' });

      expect((await gcore.summary(batch)).runId).not.toBe(runId);
      await until('the first is extended', async () => {
        return (await heldUntil(gcore, first)) >= repeatedAt + HOUR_MS;
      });
    }));
});

describe('a batch that is repeated while a start of its items has no answer', () => {
  it('asks once more what that start turns out to have begun before', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account, simulator } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000 });
      const defaults = { profile_template: 12, fields: [PORTS] };
      const profileOf = (ip_address: string) => ({ profile: { ...defaults, ip_address } });
      const [first = '', second = ''] = ADDRESSES.map((one) => `protect-ip/${account}/${one}`);
      const alone = { account, ...profileOf(ADDRESSES[1]), holdFor: '1 hour' };
      await gcore.start('protectIp', { input: alone });
      await until('the second is protected', async () => (await heldUntil(gcore, second)) > 0);
      // While that run restores what was before, a start of the same address waits for its end.
      simulator.faults.add({ match: { ...ANY_POST, method: 'DELETE' }, action: AWAY });
      await gcore.restore(second);
      const items = ADDRESSES.map(profileOf);
      const input = { account, operation: 'protectIp' as const, items };
      const repeat = () =>
        gcore.start('runBatch', {
          ...{ requestId: 'night', input: { ...input, defaults: { holdFor: '1 hour' } } },
        });
      const { workflowId } = await repeat();
      await until('the first is protected', async () => (await heldUntil(gcore, first)) > 0);
      await pass(5_000);
      expect((await gcore.status(workflowId)).items).toBeUndefined();

      await repeat();

      const repeatedAt = Date.now();
      simulator.faults.clear();
      await gcore.result('runBatch', workflowId);
      expect(await heldUntil(gcore, first)).toBeGreaterThanOrEqual(repeatedAt + HOUR_MS);
      for (const id of [first, second]) {
        await gcore.restore(id);
        await gcore.result('protectIp', id);
      }
    }));
});
