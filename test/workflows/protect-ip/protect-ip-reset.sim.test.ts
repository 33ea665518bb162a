import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { extendUpdate, restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import {
  ADDRESS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { mostPerMarker } from '../../support/worlds/marked.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const createCall = { method: 'POST', path: PROFILES_PATH };

const POINTS: [string, ResetPoint][] = [
  ['its first task', 'the first workflow task'],
  ['the task that sends', { sending: 'createDdosProfile' }],
];

describe('a run that is reset after it has sent the create of a profile', () => {
  it.each(POINTS)('finds the profile, when it begins again at %s', async (_, point) => {
    const marked = mostPerMarker();
    const policy = { reconcileGraceMs: 3_000 };
    const settings = { onChange: marked.see, policy, timeoutMs: 4_000 };
    await inScenario(settings, async ({ start, client, simulator }) => {
      simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 1_500 } });
      simulator.faults.add({ match: createCall, action: { kind: 'hang', afterProcessing: true } });
      const first = await start('protectIp', protectInput());
      await until('its call has arrived', () => simulator.inventory().ddosProfiles.length === 1);

      const { profileId } = await (await resetRun(client, first, point)).result();

      expect(simulator.inventory().ddosProfiles.map(({ id }) => id)).toEqual([profileId]);
      expect(marked.most()).toBe(1);
    });
  });
});

describe('a hold that is reset to the task that has sent the content', () => {
  const world = { state: stateWithProfiles([ADDRESS]), policy: { reconcileGraceMs: 100 } };
  const content = 'updateDdosProfile';

  it('restores what was there before the content was sent', () =>
    inScenario(world, async ({ start, client, simulator, mutations }) => {
      const [before] = simulator.inventory().ddosProfiles;
      const first = await start('protectIp', protectInput({ holdFor: '2 minutes' }));
      await until(
        'it is held',
        async () => (await first.query(statusQuery)).waiting?.holds !== undefined,
      );

      const second = await resetRun(client, first, { sending: content });
      const { restored } = await second.result();

      expect(restored).toBe(true);
      expect(mutations().length).toBeGreaterThan(2);
      const [after] = simulator.inventory().ddosProfiles;
      expect(after?.profile_template).toEqual(before?.profile_template);
      expect(after?.options).toEqual(before?.options);
    }));
});

const FOUND_SO =
  'profile 1 is as it was: template 12, active. So this run has found it, and one that was cut short may have changed it before';

describe('a hold of what an earlier run of the request has protected', () => {
  const world = { state: stateWithProfiles([ADDRESS]), policy: { reconcileGraceMs: 100 } };
  const holding = protectInput({ holdFor: '2 minutes' });
  const untilHeld = (run: WorkflowHandle) =>
    until('it is held', async () => (await run.query(statusQuery)).waiting?.holds !== undefined);
  const restoring = async (run: WorkflowHandle) => (await run.query(statusQuery)).steps.at(-1);

  it('says that it may not have found what was there before that, when it is reset to its first task', () =>
    inScenario(world, async ({ start, client }) => {
      const first = await start('protectIp', holding);
      await untilHeld(first);

      const second = await resetRun(client, first, 'the first workflow task');
      await untilHeld(second);
      await second.executeUpdate(restoreUpdate);
      await second.result();

      expect(await restoring(second)).toMatchObject({ name: 'restore profile', note: FOUND_SO });
    }));

  it('says so when that run was terminated', () =>
    inScenario(world, async ({ start }) => {
      const first = await start('protectIp', holding, 'held');
      await untilHeld(first);
      await first.terminate('by an operator');

      const second = await start('protectIp', holding, 'held');
      await untilHeld(second);
      await second.executeUpdate(restoreUpdate);
      await second.result();

      expect(await restoring(second)).toMatchObject({ name: 'restore profile', note: FOUND_SO });
    }));

  it('does not say so when no run was cut short', () =>
    inScenario(world, async ({ start }) => {
      await (await start('protectIp', protectInput())).result();

      const second = await start('protectIp', holding);
      await untilHeld(second);
      await second.executeUpdate(restoreUpdate);
      await second.result();

      expect(await restoring(second)).toMatchObject({
        note: 'profile 1 is as it was: template 12, active',
      });
    }));
});

/** Its updates come again with the first event, before anything is held. */
describe('a hold that is reset to its first task', () => {
  const HOUR = 3_600_000;
  const holdFor = { holdFor: '1 hour' };
  const heldUntil = async (run: WorkflowHandle): Promise<number> => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.holds === undefined ? 0 : Date.parse(waiting.nextCheckAt ?? '');
  };
  const untilHeld = (run: WorkflowHandle) =>
    until('it is held', async () => (await heldUntil(run)) > 0);

  it('lasts as long as somebody has extended it', () =>
    inScenario({}, async ({ start, client }) => {
      const first = await start('protectIp', protectInput(holdFor));
      await untilHeld(first);
      await first.executeUpdate(extendUpdate, { args: [{ holdFor: '5 hours' }] });
      const until = await heldUntil(first);

      const second = await resetRun(client, first, 'the first workflow task');
      await untilHeld(second);

      expect(await heldUntil(second)).toBeGreaterThanOrEqual(until);
      await second.executeUpdate(restoreUpdate);
      expect(await second.result()).toMatchObject({ restored: true });
    }));

  it('is over when somebody has ended it', () =>
    inScenario({}, async ({ start, client, simulator }) => {
      const first = await start('protectIp', protectInput(holdFor));
      await untilHeld(first);
      const away = { kind: 'status', status: 503 } as const;
      simulator.faults.add({ match: { method: 'DELETE', times: 1_000 }, action: away });
      await first.executeUpdate(restoreUpdate);
      const asked = Date.now();

      const second = await resetRun(client, first, 'the first workflow task');
      simulator.faults.clear();
      const { restored } = await second.result();

      expect(restored).toBe(true);
      expect(Date.now() - asked).toBeLessThan(HOUR / 2);
      const { asked: heard } = await second.query(statusQuery);
      expect(heard?.at(-1)).toMatchObject({ for: 'restore' });
    }));
});
