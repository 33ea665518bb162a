import { afterAll, describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/contract/messages.js';
import {
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { closeScenarios, inScenario } from '../../support/runs/scenario.js';

afterAll(closeScenarios);

const OLD = {
  profile: {
    ip_address: ADDRESS,
    profile_template: 13,
    fields: [{ base_field: 7, field_value: 27015 }],
  },
  active: false,
  bgp: false,
  status: 'Updated',
};

describe('protectIp', () => {
  it('creates and activates a profile if the address has none', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const run = await start('protectIp', protectInput());

      const result = await run.result();

      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile).toMatchObject({
        ip_address: ADDRESS,
        profile_template: { id: 12 },
        options: { active: true, bgp: false },
        status: { status: 'Active' },
      });
      expect(result).toMatchObject({
        profileId: profile?.id,
        created: true,
        before: null,
        after: { profile: { fields: [PORTS] }, active: true, bgp: false },
        status: 'Active',
        restored: false,
      });
      expect(mutations()).toEqual([
        `POST ${PROFILES_PATH}`,
        `POST ${PROFILES_PATH}/${profile?.id}/action`,
      ]);
      const { phase, steps } = await run.query(statusQuery);
      expect(phase).toBe('succeeded');
      expect(steps.map(({ name, state }) => `${name}: ${state}`)).toEqual([
        'check protection: verified',
        'configure profile: verified',
        'activate profile: verified',
        'verify protection: verified',
      ]);
    }));

  it('changes and activates an existing profile, and returns its earlier content', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async ({ start, simulator, mutations }) => {
      const run = await start('protectIp', protectInput({ bgp: true }));

      const result = await run.result();

      expect(result).toMatchObject({
        profileId: 1,
        created: false,
        before: OLD,
        after: { profile: { profile_template: 12, fields: [PORTS] }, active: true, bgp: true },
      });
      expect(simulator.inventory().ddosProfiles).toHaveLength(1);
      expect(mutations()).toEqual([`PATCH ${PROFILES_PATH}/1`, `POST ${PROFILES_PATH}/1/action`]);
    }));

  it('changes nothing when the profile is already as requested', () =>
    inScenario({}, async ({ start, mutations }) => {
      await (await start('protectIp', protectInput())).result();
      const before = mutations();

      const again = await (await start('protectIp', protectInput())).result();

      expect(again).toMatchObject({ created: false, before: { active: true }, taskIds: [] });
      expect(mutations()).toEqual(before);
    }));
});
