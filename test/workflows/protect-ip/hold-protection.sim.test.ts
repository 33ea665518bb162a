import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import {
  extendUpdate,
  joinUpdate,
  restoreUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { createGate } from '../../support/timing/gate.js';
import { ADDRESS, protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const HOUR = { holdFor: '1 hour' };

function stepOf({ steps }: StatusDocument, name: string): StatusDocument['steps'][number] {
  const step = steps.find((candidate) => candidate.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  return step;
}

async function untilHeld(run: WorkflowHandle): Promise<void> {
  await until('the protection is held', async () => {
    const { steps } = await run.query(statusQuery);
    return steps.some(({ name, state }) => name === 'hold protection' && state === 'waiting');
  });
}

function refusalOf(update: Promise<unknown>): Promise<unknown> {
  return update.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.cause : error),
  );
}

describe('protectIp with holdFor', () => {
  it('keeps the protection for the time, then restores the earlier profile', () =>
    inScenario(
      { state: stateWithProfiles([ADDRESS]), record: 'held' },
      async ({ start, simulator }) => {
        const run = await start('protectIp', protectInput({ holdFor: '1 second' }));
        await untilHeld(run);
        expect(simulator.inventory().ddosProfiles).toMatchObject([{ options: { active: true } }]);

        const result = await run.result();

        expect(result).toMatchObject({ restored: true, after: { active: true } });
        expect(simulator.inventory().ddosProfiles).toMatchObject([
          { profile_template: { id: 13 }, options: { active: false } },
        ]);
        const status = await run.query(statusQuery);
        expect(status.phase).toBe('succeeded');
        // It stays.
        const profile = { kind: 'ddos-profile', id: '1' };
        expect(status.steps.flatMap(({ resources }) => resources)).toEqual([profile]);
        expect(stepOf(status, 'restore profile')).toMatchObject({
          state: 'verified',
          note: 'profile 1 is as it was: template 13, not active',
        });
      },
    ));

  it('removes its profile if the address had none before', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('protectIp', protectInput({ holdFor: '1 second' }));

      expect(await run.result()).toMatchObject({ created: true, restored: true });

      expect(simulator.inventory().ddosProfiles).toEqual([]);
    }));

  it('says how long it holds, and holds longer on "extend"', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('protectIp', protectInput(HOUR));
      await untilHeld(run);
      const before = await run.query(statusQuery);

      const longer = await run.executeUpdate(extendUpdate, { args: [{ holdFor: '2 hours' }] });
      const shorter = await run.executeUpdate(extendUpdate, { args: [{ holdFor: '1 minute' }] });

      const ends = [before, longer, shorter].map(({ waiting }) =>
        Date.parse(waiting?.nextCheckAt ?? ''),
      );
      const inMinutes = ends.map((end) => Math.round((end - Date.now()) / 60_000));
      expect(inMinutes).toEqual([60, 120, 120]);
      expect(before.waiting).toMatchObject({ for: 'the end of the hold', holds: 'protected' });
      await run.executeUpdate(restoreUpdate);
      expect(await run.result()).toMatchObject({ restored: true });
      expect(simulator.inventory().ddosProfiles).toEqual([]);
    }));

  const whileActivating = (
    holdFor: { holdFor?: string },
    test: (run: WorkflowHandle, open: () => void) => Promise<void>,
  ) =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator }) => {
      const gate = createGate();
      const match = { method: 'POST', path: /\/action$/ };
      simulator.faults.add({ match, action: { kind: 'delay', until: gate.opened } });
      const run = await start('protectIp', protectInput(holdFor));
      await until('the activation is sent', () => simulator.inFlight().length > 0);
      await test(run, gate.open);
    });
  const extendBy = (run: WorkflowHandle, holdFor: string) =>
    refusalOf(run.executeUpdate(extendUpdate, { args: [{ holdFor }] }));

  it('takes "extend" and "restore" also before it holds, and refuses an invalid time', () =>
    whileActivating(HOUR, async (run, open) => {
      expect(await extendBy(run, '3 hours')).toBe('accepted');
      expect(await extendBy(run, 'long')).toMatchObject({
        message: expect.stringContaining('must be a duration with a unit'),
      });
      open();
      await untilHeld(run);

      const { waiting } = await run.query(statusQuery);
      const hours = (Date.parse(waiting?.nextCheckAt ?? '') - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(2);
      await run.executeUpdate(restoreUpdate);
      await run.result();
    }));

  it('restores at once when "restore" came before it held, and nobody joins it or extends it then', () =>
    whileActivating(HOUR, async (run, open) => {
      await run.executeUpdate(restoreUpdate);
      const late = [
        await extendBy(run, '1 hour'),
        await refusalOf(run.executeUpdate(joinUpdate, { args: [{ holdFor: '1 hour' }] })),
      ];
      const asked = Date.now();
      open();

      expect(await run.result()).toMatchObject({ restored: true });
      expect(Date.now() - asked).toBeLessThan(1_800_000);
      expect(late).toMatchObject([{ type: 'Refused' }, { type: 'Refused' }]);
    }));

  it('lets nobody join it, extend or correct it, when it was cancelled and its call is still on its way', () =>
    whileActivating(HOUR, async (run, open) => {
      await run.cancel();
      await until('it has heard of that', async () => {
        const { asked } = await run.query(statusQuery);
        return asked?.at(-1)?.for === 'cancel';
      });
      const late = [
        await refusalOf(run.executeUpdate(joinUpdate, { args: [{ holdFor: '1 hour' }] })),
        await extendBy(run, '1 hour'),
      ];
      open();
      await endOfRun(run);

      expect(late).toMatchObject([{ type: 'Refused' }, { type: 'Refused' }]);
    }));

  it('refuses "extend" and "restore" in a run that never holds anything', () =>
    whileActivating({}, async (run, open) => {
      const extended = await extendBy(run, '1 hour');
      const restored = await refusalOf(run.executeUpdate(restoreUpdate));
      open();

      const nothing = { type: 'Refused', message: expect.stringContaining('holds nothing') };
      expect([extended, restored]).toMatchObject([nothing, nothing]);
      expect(await run.result()).toMatchObject({ restored: false });
    }));

  it('restores the earlier profile also when it is cancelled', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      const run = await start('protectIp', protectInput(HOUR));
      await untilHeld(run);

      await run.cancel();
      await endOfRun(run);

      expect((await run.query(statusQuery)).phase).toBe('cancelled');
      expect(simulator.inventory().ddosProfiles).toMatchObject([{ options: { active: false } }]);
    }));

  it('outlives its deadline, which applies only until the protection is active', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('protectIp', protectInput({ ...HOUR, deadline: '10 minutes' }));
      await untilHeld(run);

      expect((await run.query(statusQuery)).waiting?.deadline).toBeUndefined();
      await run.executeUpdate(restoreUpdate);
      await run.result();
    }));

  it('keeps other runs of its address waiting, and they name it and say what to do', () =>
    inScenario({}, async ({ start, simulator }) => {
      const first = await start('protectIp', protectInput(HOUR));
      await untilHeld(first);

      const other = { ip_address: ADDRESS, profile_template: 13, fields: [] };
      const second = await start('protectIp', protectInput({ profile: other }));
      await until('the second run names the first', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.state?.includes(first.workflowId) === true;
      });
      const { steps } = await second.query(statusQuery);
      await first.executeUpdate(restoreUpdate);

      expect(steps[0]?.note).toContain('send "extend" to that run');
      expect(await first.result()).toMatchObject({ restored: true });
      expect(await second.result()).toMatchObject({ created: true, before: null });
      expect(simulator.inventory().ddosProfiles).toMatchObject([{ profile_template: { id: 13 } }]);
    }));
});
