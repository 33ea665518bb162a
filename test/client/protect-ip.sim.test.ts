import { describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';

import {
  createGcoreWorkflows,
  type GcoreWorkflows,
  type StartedRun,
} from '../../src/client/index.js';
import type { StatusDocument } from '../../src/engine/schema/status-document.js';
import { ACTION, ONE_PROFILE, protectInput } from '../support/inputs/protect-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { beforeUpdate } from '../support/runs/meanwhile.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

function inputOf({ account }: Scenario, ip_address = '2001:db8::1') {
  const profile = { ...protectInput().profile, ip_address };
  return { ...protectInput({ profile, holdFor: '1 hour' }), account };
}

/** An address is held. When `late` asks that run, it has ended and one with this input changed has begun. */
async function lateAtHold(scenario: Scenario, change: object) {
  const gcore = clientOf(scenario);
  const input = inputOf(scenario);
  const { workflowId } = await gcore.start('protectIp', { input });
  await untilHeld(gcore, workflowId);
  const late = clientWhoseFirstUpdateIsLate(scenario, async () => {
    await gcore.restore(workflowId);
    await gcore.result('protectIp', workflowId);
    await gcore.start('protectIp', { input: { ...input, ...change } });
  });
  return { gcore, late, input, workflowId };
}

describe('the client, for a run that protects an address', () => {
  it('joins the open run of an address in any spelling, and starts a new run after it', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const start = (address?: string) =>
        gcore.start('protectIp', { input: inputOf(scenario, address) });
      const first = await start();
      const again = await start('2001:0DB8:0::1');
      await untilHeld(gcore, first.workflowId);
      const extended = await gcore.extend(first.workflowId, { holdFor: '2 hours' });
      await gcore.restore(first.workflowId);
      await gcore.result('protectIp', first.workflowId);

      const later = await start();
      await untilHeld(gcore, first.workflowId);

      expect(first.workflowId).toBe(`protect-ip/${scenario.account}/2001:db8::1`);
      expect(again).toEqual({ ...first, outcome: 'joined' });
      expect(later.outcome).toBe('started');
      const end = Date.parse(extended.waiting?.nextCheckAt ?? '');
      expect(end - Date.now()).toBeGreaterThan(110 * 60_000);
      const { raw } = await scenario.client.workflow.getHandle(first.workflowId).describe();
      expect(raw.workflowExecutionInfo?.priority?.priorityKey).toBe(1);
      await gcore.restore(first.workflowId);
      await gcore.result('protectIp', first.workflowId);
    }));

  it('holds on for a repeat that asks for a later end, before and while it holds', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const gcore = clientOf(scenario);
      const start = (holdFor: string) =>
        gcore.start('protectIp', { input: { ...inputOf(scenario), holdFor } });
      const gate = createGate();
      const match = { method: 'POST', path: ACTION };
      scenario.simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const { workflowId } = await start('1 second');
      await until('it activates', () => scenario.simulator.inFlight().length > 0);

      await start('2 hours');
      gate.open();
      await untilHeld(gcore, workflowId);
      const early = minutesLeft(await gcore.status(workflowId));
      await start('3 hours');
      await start('1 minute');
      const late = minutesLeft(await gcore.status(workflowId));

      expect([early, late]).toEqual([120, 180]);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('starts another run for an alert that comes while the earlier state is restored', () =>
    whileRestoring({}, async ({ scenario, gcore, workflowId, goOn }) => {
      const alerts = [1, 2, 3].map(() => gcore.start('protectIp', { input: inputOf(scenario) }));
      goOn();

      const outcomes = (await Promise.all(alerts)).map(({ outcome }) => outcome);

      expect(outcomes.sort()).toEqual(['joined', 'joined', 'started']);
      await untilHeld(gcore, workflowId);
      expect(activeOf(scenario)).toEqual([true]);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('protects for alerts at any moment of a restore', () =>
    whileRestoring({}, async ({ scenario, gcore, workflowId, goOn }) => {
      goOn();
      let hasStarted = false;
      const alerts: Promise<StartedRun>[] = [];
      await until('an alert has started a run', async () => {
        const alert = gcore.start('protectIp', { input: inputOf(scenario) });
        alerts.push(alert);
        void alert.then(({ outcome }) => (hasStarted ||= outcome === 'started'));
        await Promise.race([alert, gcore.status(workflowId)]);
        return hasStarted;
      });

      const outcomes = (await Promise.all(alerts)).map(({ outcome }) => outcome);

      expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
      await untilHeld(gcore, workflowId);
      expect(activeOf(scenario)).toEqual([true]);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('joins the next run when the one it asks has ended and another has begun', () =>
    inScenario({}, async (scenario) => {
      const { gcore, late, input, workflowId } = await lateAtHold(scenario, {});

      const { outcome } = await late.start('protectIp', { input });

      expect(outcome).toBe('joined');
      await untilHeld(gcore, workflowId);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('is refused when that one has another profile, as if it had been the open one', () =>
    inScenario({}, async (scenario) => {
      const { gcore, late, input, workflowId } = await lateAtHold(scenario, { active: false });

      const alert = late.start('protectIp', { input });

      await expect(alert).rejects.toMatchObject({
        name: 'RequestConflictError',
        workflowId,
        paths: ['active'],
      });
      await untilHeld(gcore, workflowId);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('says why nothing protects when the restore does not end soon', () =>
    whileRestoring({ endWithinMs: 500 }, async ({ scenario, gcore, workflowId, goOn }) => {
      const alert = gcore.start('protectIp', { input: inputOf(scenario) });

      await expect(alert).rejects.toMatchObject({
        name: 'RunEndingError',
        workflowId,
        message: expect.stringContaining('restoring the state before'),
      });
      goOn();
      await gcore.result('protectIp', workflowId);
    }));

  it('says so over the connection of a worker too, which a Nexus handler uses', () =>
    whileRestoring({}, async ({ scenario, gcore, workflowId, goOn }) => {
      const client = new Client({ connection: await scenario.connectNative() });
      const handler = createGcoreWorkflows({ ...scenario, client, endWithinMs: 3_000 });

      const alert = handler.start('protectIp', { input: inputOf(scenario) });

      await expect(alert).rejects.toMatchObject({ name: 'RunEndingError', workflowId });
      goOn();
      await gcore.result('protectIp', workflowId);
    }));

  it('starts another run for an alert that comes while a cancelled run undoes its work', () =>
    whileRestoring({ how: 'cancel' }, async ({ scenario, gcore, workflowId, goOn }) => {
      const alert = gcore.start('protectIp', { input: inputOf(scenario) });
      goOn();

      expect((await alert).outcome).toBe('started');
      await untilHeld(gcore, workflowId);
      await gcore.restore(workflowId);
      await gcore.result('protectIp', workflowId);
    }));

  it('needs a request id for every other operation', () =>
    inScenario({}, async (scenario) => {
      const request = { input: { account: scenario.account } };
      // @ts-expect-error The request id is missing, as in a call from JavaScript.
      const started = clientOf(scenario).start('listSshKeys', request);

      await expect(started).rejects.toMatchObject({
        faults: [{ path: 'requestId', message: expect.stringContaining('is missing') }],
      });
    }));
});

async function untilHeld(gcore: GcoreWorkflows, workflowId: string): Promise<void> {
  await until('the protection is held', async () => {
    const { steps } = await gcore.status(workflowId);
    return steps.some(({ name, state }) => name === 'hold protection' && state === 'waiting');
  });
}

/** Its first update is on its way while `meanwhile` happens. */
function clientWhoseFirstUpdateIsLate(
  { client, taskQueue }: Scenario,
  meanwhile: () => Promise<unknown>,
): GcoreWorkflows {
  return createGcoreWorkflows({ client: beforeUpdate(client, meanwhile), taskQueue });
}

interface Restoring {
  scenario: Scenario;
  gcore: GcoreWorkflows;
  workflowId: string;
  /** Lets the call end that removes the profile. */
  goOn: () => void;
}

/** A run that is just removing the profile it has made, because its hold is over or it was cancelled. */
function whileRestoring(
  { how = 'restore', ...options }: { endWithinMs?: number; how?: 'restore' | 'cancel' },
  test: (restoring: Restoring) => Promise<void>,
): Promise<void> {
  return inScenario({ timeoutMs: 60_000 }, async (scenario) => {
    const { client, taskQueue, simulator } = scenario;
    const gcore = createGcoreWorkflows({ client, taskQueue, answerWithinMs: 20_000, ...options });
    const { workflowId } = await gcore.start('protectIp', { input: inputOf(scenario) });
    await untilHeld(gcore, workflowId);
    const gate = createGate();
    const match = { method: 'DELETE', path: ONE_PROFILE };
    simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
    await gcore[how](workflowId);
    await until('it removes the profile', () => simulator.inFlight().length > 0);
    try {
      await test({ scenario, gcore, workflowId, goOn: gate.open });
    } finally {
      gate.open();
    }
  });
}

function activeOf({ simulator }: Scenario): unknown[] {
  return simulator.inventory().ddosProfiles.map(({ options }) => options.active);
}

function minutesLeft({ waiting }: StatusDocument): number {
  return Math.round((Date.parse(waiting?.nextCheckAt ?? '') - Date.now()) / 60_000);
}
