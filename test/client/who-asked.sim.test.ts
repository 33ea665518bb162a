import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { extendUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { at, gatewayOf, post, storedToken } from '../support/gateway/gateway-world.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
const gcoreAs = ({ client, taskQueue }: Scenario, identity: string): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue, identity });

/** A run that waits until it is released. */
async function startHeld(scenario: Scenario, gcore: GcoreWorkflows) {
  const release = holdTaskReads(scenario.simulator);
  const { workflowId } = await gcore.start('provisionInstance', {
    requestId: `order-${randomUUID()}`,
    input: { ...provisionInput(), account: scenario.account },
  });
  await until('it waits', async () => (await gcore.status(workflowId)).phase === 'waiting');
  return { workflowId, release, run: scenario.client.workflow.getHandle(workflowId) };
}

async function namesOf(gcore: GcoreWorkflows, workflowId: string): Promise<string[]> {
  const { asked = [] } = await gcore.status(workflowId);
  return asked.map(({ for: what, by, times }) => [what, by, times].filter(Boolean).join(' '));
}

describe('a run', () => {
  it('names who started, paused, resumed and cancelled it, to the status and to `explain`', () =>
    inScenario({}, async (scenario) => {
      const billing = gcoreAs(scenario, 'billing');
      const { workflowId, release, run } = await startHeld(scenario, billing);

      await billing.as('anna@laptop').pause(workflowId);
      const paused = await billing.explain(workflowId);
      await billing.as('bob').resume(workflowId);
      await billing.as('carl').cancel(workflowId);
      release();
      await run.result().catch(() => undefined);

      expect(paused.paragraph).toContain('was started by billing at');
      expect(paused.paragraph).toMatch(/anna@laptop \(sent by \d+@[^)]+\) paused it at/);
      expect(await namesOf(billing, workflowId)).toEqual([
        'start billing',
        'pause anna@laptop',
        'resume bob',
        'cancel carl',
      ]);
      const { paragraph } = await billing.explain(workflowId);
      expect(paragraph).toMatch(/cancelled by carl \(sent by /);
    }));

  it('names who aborted it in its failure, and who started it again', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreAs(scenario, 'anna');
      const { workflowId, release, run } = await startHeld(scenario, gcore);

      await gcore.abort(workflowId, { reason: 'wrong region' });
      release();
      const failure = await gcore.result('provisionInstance', workflowId).catch(String);
      await gcore.as('bob').retry(workflowId);
      await run.result();

      expect(failure).toContain('An operator (anna) aborted the run (wrong region).');
      expect(await namesOf(gcore, workflowId)).toEqual(['retry bob']);
      expect((await gcore.explain(workflowId)).paragraph).toContain('was started again by bob at');
    }));

  it('names no cancel of another run of the same worker', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreAs(scenario, 'anna');
      const cancelled = await startHeld(scenario, gcore);
      await gcore.as('carl').cancel(cancelled.workflowId);
      cancelled.release();
      await cancelled.run.result().catch(() => undefined);

      const { workflowId, release, run } = await startHeld(scenario, gcore);
      release();
      await run.result();

      expect(await namesOf(gcore, workflowId)).toEqual(['start anna']);
    }));

  it('says "unknown" for a plain client, whose identity only the history has', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreAs(scenario, 'anna');
      const { workflowId, release, run } = await startHeld(scenario, gcore);

      await run.executeUpdate('pause');
      await run.executeUpdate('pause', { args: [{ by: ' \u001b[31m<b>eve</b>\n' }] });
      const { paragraph } = await gcore.explain(workflowId);
      await run.cancel();
      release();
      await run.result().catch(() => undefined);

      expect(paragraph).toMatch(/It was paused by \d+@\S+ at /);
      expect(await namesOf(gcore, workflowId)).toEqual([
        'start anna',
        'pause unknown',
        'pause __31m_b_eve_/b__',
        'cancel unknown',
      ]);
    }));

  it('refuses an argument that is not sound, and takes null for none', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreAs(scenario, 'anna');
      const { workflowId, release, run } = await startHeld(scenario, gcore);
      const unsound = [7, 'text', [[]], { by: { toString: 1 } }, { bye: 'eve' }];
      const refusals = unsound.map((argument) =>
        run.executeUpdate('pause', { args: [argument] }).then(() => 'taken', causeTypeOf),
      );

      expect(await Promise.all(refusals)).toEqual(unsound.map(() => 'InvalidInput'));
      for (const argument of [null, { by: 'x'.repeat(100_000) }]) {
        await run.executeUpdate('pause', { args: [argument] });
      }
      await run.executeUpdate('resume', { args: [null] });
      await run.executeUpdate('abort');
      release();

      await expect(gcore.result('provisionInstance', workflowId)).rejects.toMatchObject({
        type: 'Aborted',
        message: expect.stringContaining('An operator aborted the run.'),
      });
      expect(await namesOf(gcore, workflowId)).toEqual([
        'start anna',
        'pause unknown',
        `pause ${'x'.repeat(100)}`,
        'resume unknown',
        'abort unknown',
      ]);
    }));

  it('names who joins its hold only when that makes the hold longer', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('protectIp', protectInput({ holdFor: '1 hour' }));
      await until('it holds', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.for === 'the end of the hold';
      });

      for (const request of [
        { holdFor: '1 minute', by: 'monitor' },
        { by: 'monitor' },
        { holdFor: '2 hours', by: 'alert' },
      ]) {
        await run.executeUpdate('join', { args: [request] });
      }
      await run.executeUpdate('restore', { args: [{ by: 'anna' }] });
      await run.result();

      const { asked = [] } = await run.query(statusQuery);
      expect(asked.map(({ for: what, by }) => `${what} ${by}`)).toEqual([
        'extend alert',
        'restore anna',
      ]);
    }));

  it('keeps the newest ten, also in the next history', () =>
    inScenario({ policy: { mostUpdates: 3 } }, async ({ start }) => {
      const run = await start('protectIp', protectInput({ holdFor: '1 hour' }));
      await until('it holds', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.for === 'the end of the hold';
      });
      const runIdNow = async () => (await run.describe()).runId;
      const first = await runIdNow();
      const names = Array.from({ length: 12 }, (_, at) => `caller-${at}`);

      for (const by of names) {
        await run.executeUpdate(extendUpdate, { args: [{ holdFor: '2 hours', by }] });
      }
      await until('it goes on in a new history', async () => (await runIdNow()) !== first);
      await run.executeUpdate('restore', { args: [{ by: 'anna' }] });
      await run.result();

      const { asked = [] } = await run.query(statusQuery);
      expect(asked.map(({ by }) => by)).toEqual([...names.slice(-9), 'anna']);
    }));
});

describe('the gateway', () => {
  it('names the token, never what the caller says', () =>
    inScenario({}, async (scenario) => {
      const release = holdTaskReads(scenario.simulator);
      const token = storedToken('t', { name: 'shop', scopes: ['read', 'run', 'operate'] });
      const app = gatewayOf(scenario, { tokens: { read: () => Promise.resolve([token]) } });
      const send = (path: string, body: unknown) =>
        app.request(at(path), post(body, { Authorization: 'Bearer t', 'Idempotency-Key': 'o-1' }));
      const input = { ...provisionInput(), account: scenario.account };
      const started = await send('/v1/runs/provisionInstance', input);
      const path = started.headers.get('location') ?? '';

      const forged = await send(`${path}/pause`, { by: 'root' });
      const paused = await send(`${path}/pause`, {});
      release();

      expect([forged.status, paused.status]).toEqual([400, 200]);
      expect(await paused.json()).toMatchObject({
        asked: [
          { for: 'start', by: 'gateway:shop' },
          { for: 'pause', by: 'gateway:shop' },
        ],
      });
    }));
});

function causeTypeOf(error: unknown): unknown {
  return error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure
    ? error.cause.type
    : error;
}
