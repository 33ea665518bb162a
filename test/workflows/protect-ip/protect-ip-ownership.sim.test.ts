import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, it } from '@jest/globals';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
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
import { untilBlocked } from '../../support/runs/until-blocked.js';
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

describe('the profile of a run that somebody has given to another address', () => {
  it.each([
    ['when the run is cancelled', '1 hour'],
    ['at the end of the hold', '3 seconds'],
  ])('stays, and is named: %s', (_, holdFor) =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ api, simulator, start }) => {
      const run = await start('protectIp', protectInput({ holdFor }));
      await until('it holds', async () => {
        return (await run.query(statusQuery)).waiting?.holds !== undefined;
      });
      const { profile } = protectInput();
      const [{ id } = { id: 0 }] = simulator.inventory().ddosProfiles;
      const given = { ...profile, ip_address: '203.0.113.99' };
      await callByHand(api, `PATCH ${PROFILES_PATH}/${id}`, given);

      if (holdFor === '1 hour') await run.cancel();
      await untilBlocked(run, 'RemovalBlocked');
      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);

      expect(blocked?.message).toContain('somebody has given it to 203.0.113.99');
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { id, ip_address: '203.0.113.99' },
      ]);
    }),
  );
});

/** A run whose create is lost, or late. Meanwhile somebody else makes another profile for the address. */
async function startBesideOther(
  { api, simulator, start }: Scenario,
  action: Parameters<Scenario['simulator']['faults']['add']>[0]['action'],
  holdFor = '1 second',
) {
  simulator.faults.add({ match: { method: 'POST', path: PROFILES_PATH }, action });
  const run = await start('protectIp', protectInput({ holdFor }));
  await until('its create has gone out', async () => {
    const { steps } = await run.query(statusQuery);
    return steps.some(({ state }) => state === 'sending' || state === 'outcome-unknown');
  });
  await callByHand(api, `POST ${PROFILES_PATH}`, OTHER);
  return run;
}

const waitsFor = async (run: WorkflowHandle) => (await run.query(statusQuery)).waiting?.for;

const OTHER = {
  ip_address: ADDRESS,
  profile_template: 13,
  fields: [{ base_field: 7, field_value: 1234 }],
};

describe('another profile that somebody makes while the answer of the create is lost', () => {
  it('is not taken for what the call has made, which comes later', () =>
    inScenario({ timeoutMs: 150, profileBirth: 'off' }, async (scenario) => {
      const { api, simulator } = scenario;
      const run = await startBesideOther(scenario, { kind: 'delay', ms: 350 });
      await untilBlocked(run, 'OutcomeUnknown');
      const [other, own] = simulator.inventory().ddosProfiles;
      await callByHand(api, `DELETE ${PROFILES_PATH}/${other?.id}`);
      await until('it is deleted', () => simulator.inventory().ddosProfiles.length === 1);
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await expect(run.result()).resolves.toMatchObject({ profileId: own?.id, created: true });

      expect(simulator.inventory().ddosProfiles).toEqual([]);
    }));

  it('is changed, and restored, when the call has made none', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const run = await startBesideOther(scenario, { kind: 'drop-request' });

      await expect(run.result()).resolves.toMatchObject({ created: false, restored: true });

      expect(scenario.simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: 13 }, options: { active: false } },
      ]);
    }));

  it('stays when the run is cancelled, and cannot bring its content back', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const { simulator } = scenario;
      const run = await startBesideOther(scenario, { kind: 'drop-request' }, '1 hour');
      await until('it holds', async () => (await waitsFor(run)) === 'the end of the hold');
      const match = { method: 'PATCH', times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 401 } });
      await run.cancel();
      await endOfRun(run);

      expect(simulator.inventory().ddosProfiles).toMatchObject([{ ip_address: ADDRESS }]);
    }));
});

describe('a new profile that the list does not show for longer than lists lag', () => {
  it('is still the one of the run when it shows', () =>
    inScenario({}, async ({ mutations, simulator, start }) => {
      const run = await start('protectIp', protectInput({ holdFor: '1 second' }));
      await until('its create is carried out', () => mutations().length > 0);
      simulator.faults.add({
        match: { method: 'GET', path: PROFILES_PATH, times: Infinity },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      await untilBlocked(run, 'OutcomeUnknown');
      simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await expect(run.result()).resolves.toMatchObject({ created: true, before: null });

      expect(mutations().filter((call) => call === `POST ${PROFILES_PATH}`)).toHaveLength(1);
      expect(simulator.inventory().ddosProfiles).toEqual([]);
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
