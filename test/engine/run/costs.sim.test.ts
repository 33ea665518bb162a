import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { ADDRESS, protectInput, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../simulation/scenario.js';

/** What a run has cost: each event is storage, each activity a task and nearly always a request. */
interface Costs {
  events: number;
  /** Names in the order in which they were scheduled. */
  activities: string[];
}

async function costsOf(run: WorkflowHandle): Promise<Costs> {
  const { events } = await run.fetchHistory();
  const all = events ?? [];
  return {
    events: all.length,
    activities: all.flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    ),
  };
}
/** The end of the lock may come just before the end of the run, which costs a workflow task more. */
const LOCK_ENDS_FIRST = 4;
/** On a busy machine, two things that usually come together need a workflow task each. */
const COME_APART = 3;
const MORE = LOCK_ENDS_FIRST + COME_APART;

const HELD = protectInput({ holdFor: '1 second' });

describe('the history of a run in which all goes well', () => {
  it('has few events and looks when protectIp makes a profile, holds and removes it', () =>
    inScenario({ profileBirth: 'off' }, async ({ start }) => {
      const run = await start('protectIp', HELD);
      await run.result();

      const { events, activities } = await costsOf(run);

      expect(activities).toEqual([
        'preflightProtection',
        // It looks again before it makes one.
        'listDdosProfiles',
        'createDdosProfile',
        'watchTask',
        'switchDdosProfile',
        'watchTask',
        'deleteDdosProfile',
        'watchTask',
        'deleteDdosProfile',
      ]);
      expect(events).toBeLessThanOrEqual(74 + MORE);
    }));

  it('has few events and looks when protectIp changes a profile, holds and restores it', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start }) => {
      const run = await start('protectIp', HELD);
      await run.result();

      const { events, activities } = await costsOf(run);

      const change = ['updateDdosProfile', 'watchTask', 'switchDdosProfile', 'watchTask'];
      // What others may have changed during the hold is read before it is restored.
      const restore = ['listDdosProfiles', ...change];
      expect(activities).toEqual(['preflightProtection', ...change, ...restore]);
      expect(events).toBeLessThanOrEqual(83 + MORE);
    }));

  it('has few events and looks when protectIp only switches a profile on and off', () => {
    const state = stateWithProfiles([ADDRESS], { templateId: 12 });
    const profile = { ip_address: ADDRESS, profile_template: 12 };
    return inScenario({ state }, async ({ start }) => {
      const run = await start('protectIp', { ...HELD, profile });
      await run.result();

      const { events, activities } = await costsOf(run);

      const change = ['switchDdosProfile', 'watchTask'];
      const restore = ['listDdosProfiles', ...change];
      expect(activities).toEqual(['preflightProtection', ...change, ...restore]);
      expect(events).toBeLessThanOrEqual(59 + MORE);
    });
  });

  it('has few events when provisionInstance makes an instance', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput());
      await run.result();

      const { events, activities } = await costsOf(run);

      expect(activities).toEqual(['createInstance', 'watchTask']);
      expect(events).toBeLessThanOrEqual(20 + COME_APART);
    }));
});
