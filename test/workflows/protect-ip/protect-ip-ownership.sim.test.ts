import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { createHeldLine } from '../held-line.js';
import {
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '2' } as const;

/** A run whose create was turned away. Meanwhile somebody else makes the same profile. */
async function startBesideStranger(scenario: Scenario, holdFor?: string) {
  const { start, simulator, api } = scenario;
  const match = { method: 'POST', path: PROFILES_PATH };
  simulator.faults.add({ match, action: TURNED_AWAY });
  const run = await start('protectIp', protectInput(holdFor === undefined ? {} : { holdFor }));
  await until('its create was turned away', () =>
    simulator.requests.some(({ status }) => status === 429),
  );
  await callByHand(api, `POST ${PROFILES_PATH}`, protectInput().profile);
  return run;
}

describe('a profile that somebody else makes while the create is not sent', () => {
  it('stays at the end of the hold', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const run = await startBesideStranger(scenario, '1 second');

      const { created, restored } = await run.result();

      const { ddosProfiles } = scenario.simulator.inventory();
      expect([created, restored]).toEqual([false, true]);
      expect(ddosProfiles).toMatchObject([{ ip_address: ADDRESS, options: { active: false } }]);
    }));

  it('stays when the run is cancelled before its next try', () =>
    inScenario({}, async (scenario) => {
      const run = await startBesideStranger(scenario);

      await run.cancel();
      await endOfRun(run);

      expect(scenario.simulator.inventory().ddosProfiles).toHaveLength(1);
    }));
});

describe('a run that follows a terminated one with another id', () => {
  it('protects immediately, and undoes a late call of the terminated run', async () => {
    const line = createHeldLine('PATCH');
    const state = stateWithProfiles([ADDRESS]);
    const settings = { line: line.fetch, state, timeoutMs: 15_000 };
    await inScenario(settings, async ({ start, simulator }) => {
      const other = {
        ip_address: ADDRESS,
        profile_template: 12,
        fields: [{ ...PORTS, field_value: [9090] }],
      };
      const first = await start('protectIp', protectInput({ profile: other }), 'terminated-alert');
      await until('its PATCH has left', line.isHeld);
      await first.terminate('by an operator');

      const second = await start('protectIp', protectInput(), 'next-alert');
      await until('the second run has protected the address', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.for.includes('late calls of a terminated run') === true;
      });
      const [before] = simulator.inventory().ddosProfiles;
      line.letGo();
      const { after } = await second.result();

      const [profile] = simulator.inventory().ddosProfiles;
      expect(before?.options.active).toBe(true);
      expect(after.profile.fields).toEqual([PORTS]);
      expect(profile?.fields.find(({ base_field }) => base_field === 3)?.field_value).toEqual(
        PORTS.field_value,
      );
    });
  });
});
