import { describe, expect, it } from '@jest/globals';

import { createHash } from 'node:crypto';

import { createGcoreWorkflows } from '../../../src/client/gcore-workflows.js';
import { batchLines } from '../../../src/contract/batch-lines.js';
import { inScenario } from '../../simulation/scenario.js';
import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { firstRunIdOf } from '../../support/webhooks/while-told.js';
import { until } from '../../support/timing/until.js';
import { ANY_POST, AWAY, heldUntil, openBatch, type OpenBatch } from './open-batch.js';
import { pass } from '../../support/timing/pass.js';

const HOUR_MS = 3_600_000;

interface Opened extends OpenBatch {
  reset: (point: ResetPoint) => Promise<void>;
}

function whileOpen(more: object, test: (opened: Opened) => Promise<void>): Promise<void> {
  return inScenario({ policy: { mostEvents: 60 } }, async (scenario) => {
    const opened = await openBatch(scenario, more);
    const { gcore, batch, first, second } = opened;
    const { workflow } = scenario.client;
    const reset = async (point: ResetPoint) => {
      await resetRun(scenario.client, workflow.getHandle(batch), point);
    };

    await test({ ...opened, reset });

    scenario.simulator.faults.clear();
    await gcore.result('runBatch', batch).catch(() => undefined);
    for (const id of [first, second]) {
      await gcore.restore(id).catch(() => undefined);
      await gcore.result('protectIp', id).catch(() => undefined);
    }
  });
}

const POINTS = [
  ['to its begin', 'the first workflow task'],
  ['to the start of its items', { sending: 'startItems' }],
] as const;

describe('a batch that is reset after somebody has repeated it', () => {
  it.each(POINTS)('asks once more what it had begun before, %s', (_, point) =>
    whileOpen({}, async ({ gcore, batch, first, repeat, reset }) => {
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
    whileOpen({ onAbort: 'cancel' }, async ({ gcore, batch, first, second, reset }) => {
      await gcore.pause(batch);
      await reset(point);
      await gcore.abort(batch);
      await gcore.result('runBatch', batch).catch(() => undefined);

      const known = [...batchLines(await gcore.batchReport(batch))];
      expect(known.map(({ workflowId }) => workflowId)).toEqual([first, second]);
      await until('what went on is cancelled', async () => {
        const { state } = await gcore.summary(second);
        return state === 'CANCELLED';
      });
    }),
  );

  it('names it also in a later history than the one that was reset', () =>
    whileOpen({}, async ({ scenario, gcore, batch, first, second, repeat, reset }) => {
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

describe('a batch that follows one that was terminated', () => {
  it('names also what it would have come to later, when it is cancelled at once', () =>
    whileOpen({}, async ({ scenario, gcore, batch, first, second, repeat }) => {
      await scenario.client.workflow.getHandle(batch).terminate();
      await repeat();
      await gcore.cancel(batch);
      await gcore.result('runBatch', batch).catch(() => undefined);

      const known = [...batchLines(await gcore.batchReport(batch))];
      expect(known.map(({ workflowId }) => workflowId)).toEqual([first, second]);
    }));

  it('says that nobody knows what goes on where its list cannot be read any more', () => {
    const off = { instanceId: instanceIdOf(1), action: 'stop', requestId: 'off-1' } as const;
    const world = { state: stateWithInstances([{ of: 1 }]), manifests: { 'off.jsonl': [off] } };
    return inScenario(world, async ({ client, taskQueue, account, simulator, writeManifest }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      simulator.faults.add({ match: ANY_POST, action: AWAY });
      const input = {
        ...{ account, operation: 'setInstancePower' as const },
        manifest: { url: 'file:off.jsonl' },
      };
      const begin = () => gcore.start('runBatch', { requestId: `off-${account}`, input });
      const { workflowId: batch } = await begin();
      await until('its item goes on', async () => {
        return (await gcore.status(batch)).items?.pending === 1;
      });
      await client.workflow.getHandle(batch).terminate();
      writeManifest('off.jsonl', [{ ...off, action: 'unknown' }]);
      await begin();
      await gcore.result('runBatch', batch).catch(() => undefined);

      const { steps } = await gcore.status(batch);
      expect(steps.at(-1)?.note).toContain('nobody knows');
      simulator.faults.clear();
    });
  });
});

describe('a batch that is reset, and whose list cannot be read again', () => {
  it.each(POINTS)('says that nobody knows what it had begun: %s', (_, point) => {
    const lines = [1, 2].map((of) =>
      JSON.stringify({ instanceId: instanceIdOf(of), action: 'stop' }),
    );
    const world = {
      state: stateWithInstances([{ of: 1 }, { of: 2 }]),
      manifests: { 'off.jsonl': lines.join('\n') },
    };
    return inScenario(world, async ({ client, simulator, start, writeManifest }) => {
      simulator.faults.add({ match: ANY_POST, action: AWAY });
      const manifest = {
        url: 'file:off.jsonl',
        sha256: createHash('sha256').update(lines.join('\n')).digest('hex'),
      };
      const batch = await start('runBatch', { operation: 'setInstancePower', manifest, atOnce: 1 });
      await until('the first goes on', async () => {
        return (await batch.query(statusQuery)).items?.pending === 1;
      });
      writeManifest('off.jsonl', lines.reverse().join('\n'));
      const again = await resetRun(client, batch, point);
      await pass(2_000);
      // One that has to read the whole list again has failed by then.
      await again.executeUpdate(abortUpdate, { args: [{}] }).catch(() => undefined);
      await failureOfRun(again);

      const { steps } = await again.query(statusQuery);
      expect(steps.at(-1)?.note).toContain('nobody knows');
    });
  });
});

describe('a batch that is reset to its begin, and whose list has lost a line since', () => {
  const off = (of: number) => ({
    instanceId: instanceIdOf(of),
    action: 'stop',
    requestId: `off-${of}`,
  });
  const HOW = [
    ['by the first reset', [[off(1), off(2)]]],
    ['by the second reset', [[off(2)], [off(1), off(2)]]],
  ] as const;

  it.each(HOW)('does not go on without what it had started for that line: %s', (_, lists) => {
    const state = stateWithInstances([{ of: 1 }, { of: 2 }]);
    const manifests = { 'off.jsonl': lists[0] };
    return inScenario({ state, manifests }, async (scenario) => {
      const { client, simulator, start, writeManifest } = scenario;
      simulator.faults.add({ match: ANY_POST, action: AWAY });
      const manifest = { url: 'file:off.jsonl' };
      let batch = await start('runBatch', { operation: 'setInstancePower', manifest });
      for (const [resets, list] of lists.entries()) {
        writeManifest('off.jsonl', list);
        if (resets > 0) batch = await resetRun(client, batch, 'the first workflow task');
        await until('all go on', async () => {
          return (await batch.query(statusQuery)).items?.pending === list.length;
        });
      }
      writeManifest('off.jsonl', [off(2)]);

      const again = await resetRun(client, batch, 'the first workflow task');
      await pass(60_000);

      expect((await again.describe()).status.name).toBe('FAILED');
      expect(await failureOfRun(again)).toMatchObject({
        type: 'InvalidInput',
        details: {
          faults: [{ path: 'manifest', message: expect.stringContaining('off-1') }],
        },
      });
      const { steps } = await again.query(statusQuery);
      expect(steps.at(-1)?.note).toContain('1 run goes on');
      simulator.faults.clear();
    });
  });

  it('does not go on without it when a later history had started it', () => {
    const lines = [off(1), off(2), off(3)];
    const world = {
      state: stateWithInstances([{ of: 1 }, { of: 2 }, { of: 3 }]),
      manifests: { 'off.jsonl': lines },
      policy: { mostEvents: 15 },
    };
    return inScenario(world, async (scenario) => {
      const { client, simulator, start, writeManifest } = scenario;
      const manifest = { url: 'file:off.jsonl' };
      simulator.faults.add({ match: { ...ANY_POST, nth: 3 }, action: AWAY });
      const input = { operation: 'setInstancePower', manifest, atOnce: 1 } as const;
      const batch = await start('runBatch', input);
      const first = await firstRunIdOf(client, batch.workflowId);
      await until('a later history has started the last', async () => {
        const { items } = await batch.query(statusQuery);
        return items?.pending === 1 && items.succeeded === 2;
      });
      await pass(60_000);
      expect((await batch.describe()).runId).not.toBe(first);
      writeManifest('off.jsonl', lines.slice(0, 2));

      const again = await resetRun(client, batch, { beginOf: first });

      expect(await failureOfRun(again)).toMatchObject({
        type: 'InvalidInput',
        details: { faults: [{ message: expect.stringContaining('off-3') }] },
      });
      simulator.faults.clear();
    });
  });
});
