import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import {
  ACTION,
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
const FRESH_MS = 5_000;

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
    inScenario({ profileBirth: 'off' }, async ({ start, simulator, mutations }) => {
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

  it('verifies a list of ports that comes back in another order', () =>
    inScenario({ sortsLists: true, profileBirth: 'off' }, async ({ start, mutations }) => {
      const fields = [{ base_field: 3, field_value: [8443, 5000, 8080] }];
      const { profile } = protectInput();
      const run = await start('protectIp', protectInput({ profile: { ...profile, fields } }));

      expect(await run.result()).toMatchObject({ created: true, status: 'Active' });
      expect(mutations()).toHaveLength(2);
    }));

  it.each([
    { profileBirth: 'on', asked: {}, bgp: true, calls: 1 },
    { profileBirth: 'off', asked: {}, bgp: false, calls: 2 },
    { profileBirth: 'on', asked: { bgp: true }, bgp: true, calls: 1 },
    { profileBirth: 'on', asked: { bgp: false }, bgp: false, calls: 2 },
    { profileBirth: 'off', asked: { bgp: true }, bgp: true, calls: 2 },
  ] as const)(
    'makes a profile that is born $profileBirth active, with the bgp of the input or its own: $asked',
    ({ profileBirth, asked, bgp, calls }) =>
      inScenario({ profileBirth }, async ({ start, simulator, mutations }) => {
        const run = await start('protectIp', protectInput(asked));

        const { after } = await run.result();

        const [profile] = simulator.inventory().ddosProfiles;
        expect(profile?.options).toEqual({ active: true, bgp });
        expect(after).toMatchObject({ active: true, bgp });
        expect(mutations()).toHaveLength(calls);
      }),
  );

  it('does not take a list that lags for the options of a new profile', () =>
    inScenario({ profileBirth: 'on' }, async ({ start, simulator, mutations }) => {
      const { profile_template: id } = protectInput().profile;
      const asBefore = {
        id: 1,
        ip_address: ADDRESS,
        profile_template: { id },
        fields: [PORTS],
        options: { active: false, bgp: false },
        status: { status: 'Queued' },
      };
      simulator.faults.add({
        match: { method: 'GET', path: PROFILES_PATH, nth: 3 },
        action: { kind: 'status', status: 200, body: { count: 1, results: [asBefore] } },
      });

      await (await start('protectIp', protectInput())).result();

      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile).toMatchObject({ id: 1, options: { active: true, bgp: true } });
      expect(simulator.requests.filter(({ fault }) => fault === 'status')).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${PROFILES_PATH}`]);
    }));

  it('switches a new profile off that is born on and must not be active', () =>
    inScenario({ profileBirth: 'on' }, async ({ start, simulator }) => {
      const run = await start('protectIp', protectInput({ active: false }));

      await run.result();

      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile?.options).toEqual({ active: false, bgp: true });
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

  it('reads the profile again after a pause: somebody may have switched it off meanwhile', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator, api }) => {
      const gate = createGate();
      simulator.faults.add({
        match: { method: 'POST', path: ACTION },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await start('protectIp', protectInput());
      await until('the activation is sent', () => simulator.inFlight().length > 0);
      await run.executeUpdate(pauseUpdate);
      gate.open();
      await until('the run is paused before it verifies', async () => {
        const { phase, steps } = await run.query(statusQuery);
        return phase === 'paused' && steps[2]?.state === 'verified';
      });
      const options = { active: false, bgp: false };
      await callByHand(api, `POST ${PROFILES_PATH}/1/action`, options);
      await until('the profile is switched off', () =>
        simulator.inventory().ddosProfiles.every((profile) => !profile.options.active),
      );
      // A moment ago still counts as now.
      await delay(FRESH_MS);

      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await untilBlocked(run, 'OutcomeUnknown');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);
    }));
});
