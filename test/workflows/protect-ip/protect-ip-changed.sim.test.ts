import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate } from '../../../src/engine/core/messages.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import {
  ACTION,
  ADDRESS,
  ONE_PROFILE,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const LIST = { method: 'GET', path: PROFILES_PATH };
const ONE = `${PROFILES_PATH}/1`;
/** Names no fields: the profile keeps its own. */
const WANTED = {
  profile: { ip_address: ADDRESS, profile_template: 13 },
  holdFor: '1 second',
};
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '1' } as const;
const OTHER_FIELDS = [{ base_field: 7, field_value: 27016 }];

/** A run that is paused after it has read the profile, and long enough for that to be old. */
async function startPaused({ start, simulator }: Scenario, freshMs: number) {
  const match = { ...LIST, times: Infinity };
  simulator.faults.add({ match, action: { kind: 'status', status: 503 } });
  const run = await start('protectIp', protectInput(WANTED));
  await until('it reads the profile', () =>
    simulator.requests.some(({ path }) => path === PROFILES_PATH),
  );
  await run.executeUpdate(pauseUpdate);
  simulator.faults.clear();
  await until('nothing is left to do', async () => {
    const { pendingActivities } = (await run.describe()).raw;
    return (pendingActivities ?? []).length === 0;
  });
  const readAt = Date.now();
  await until('what it has read is old', () => Date.now() > readAt + freshMs);
  return run;
}

describe('a profile that somebody changes while the run is paused', () => {
  it('keeps that change, during the protection and after it', () => {
    const freshMs = 500;
    const state = stateWithProfiles([ADDRESS]);
    return inScenario({ state, policy: { freshMs } }, async (scenario) => {
      const { api, simulator, mutations } = scenario;
      const run = await startPaused(scenario, freshMs);
      const changed = { ...WANTED.profile, fields: OTHER_FIELDS };
      await callByHand(api, `PATCH ${ONE}`, changed);
      await until('that has an effect', () =>
        JSON.stringify(simulator.inventory().ddosProfiles).includes('27016'),
      );

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const result = await run.result();

      expect(result).toMatchObject({ before: { profile: { fields: OTHER_FIELDS } } });
      expect(mutations().filter((call) => call === `PATCH ${ONE}`)).toHaveLength(1);
      expect(JSON.stringify(simulator.inventory().ddosProfiles)).toContain('27016');
    });
  });
});

describe('a profile whose bgp somebody changes while its activation is turned away', () => {
  it('keeps that change: the input does not name it', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { api, start, simulator } = scenario;
      const match = { method: 'POST', path: ACTION, times: Infinity };
      simulator.faults.add({ match, action: TURNED_AWAY });
      const run = await start('protectIp', protectInput());
      await until('its activation was turned away', () =>
        simulator.requests.some(({ status }) => status === 429),
      );
      await run.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      await callByHand(api, `POST ${ONE}/action`, { active: false, bgp: true });
      await until('that has an effect', () =>
        simulator.inventory().ddosProfiles.some(({ options }) => options.bgp),
      );

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { after } = await run.result();

      expect(after).toMatchObject({ active: true, bgp: true });
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { options: { active: true, bgp: true } },
      ]);
    }));
});

describe('a profile that somebody makes while the create of the run is turned away', () => {
  it('keeps its fields: the input does not name any', () =>
    inScenario({}, async ({ api, start, simulator }) => {
      const match = { method: 'POST', path: PROFILES_PATH, times: Infinity };
      simulator.faults.add({ match, action: TURNED_AWAY });
      const run = await start('protectIp', protectInput({ profile: WANTED.profile }));
      await until('its create was turned away', () =>
        simulator.requests.some(({ status }) => status === 429),
      );
      await run.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      const made = { ...WANTED.profile, fields: OTHER_FIELDS };
      await callByHand(api, `POST ${PROFILES_PATH}`, made);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const result = await run.result();

      expect(result).toMatchObject({
        created: false,
        before: { profile: { fields: OTHER_FIELDS } },
      });
      expect(JSON.stringify(simulator.inventory().ddosProfiles)).toContain('27016');
    }));
});

describe('a profile that the API changes at once, without a task', () => {
  it('is restored at the end of the hold', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator }) => {
      const body = { tasks: [] };
      const action = { kind: 'status', status: 200, body, afterProcessing: true } as const;
      simulator.faults.add({
        match: { method: 'PATCH', path: ONE_PROFILE, times: Infinity },
        action,
      });
      simulator.faults.add({ match: { method: 'POST', path: ACTION, times: Infinity }, action });

      const run = await start('protectIp', protectInput({ holdFor: '1 second' }));
      const result = await run.result();

      expect(result).toMatchObject({ restored: true, after: { active: true } });
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: 13 }, options: { active: false } },
      ]);
    }));
});

describe('a profile that a lost call for an earlier input has changed', () => {
  it('is restored as it was before that', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { api, start, simulator } = scenario;
      const match = { method: 'PATCH', path: ONE_PROFILE };
      simulator.faults.add({ match, action: { kind: 'list-lag', ms: 3_000 } });
      simulator.faults.add({ match, action: { kind: 'drop-response' } });
      simulator.faults.add({ match: { ...match, times: Infinity }, action: TURNED_AWAY });
      const run = await start('protectIp', protectInput({ holdFor: '1 second' }));
      await until('the second call was turned away', () =>
        simulator.requests.some(({ status }) => status === 429),
      );
      await run.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      await until('the list shows what the first one did', async () =>
        JSON.stringify(await callByHand(api, `GET ${PROFILES_PATH}`)).includes('8443'),
      );

      const profile = {
        ip_address: ADDRESS,
        profile_template: 12,
        fields: [{ base_field: 3, field_value: [9000] }],
      };
      await correctRun(scenario, run, protectInput({ holdFor: '1 second', profile }));
      const result = await run.result();

      expect(result).toMatchObject({
        restored: true,
        before: { profile: { profile_template: 13 } },
        after: { profile: { profile_template: 12, fields: [{ field_value: [9000] }] } },
      });
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: 13 }, options: { active: false } },
      ]);
    }));
});
