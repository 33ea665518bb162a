import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import {
  stateWithProfiles,
  PROFILES_PATH,
  ADDRESS,
  protectInput,
} from '../support/inputs/protect-input.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { planOf } from '../support/runs/plan-of.js';
import { endOfRun, failureOfRun } from '../support/runs/run-failure.js';
import { createShortList } from '../support/http/short-list.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { pass } from '../support/timing/pass.js';

const OTHER = '203.0.113.8';
const STATE = stateWithProfiles([ADDRESS, OTHER]);
const DELETE = { method: 'DELETE', path: `${PROFILES_PATH}/1` };

const left = ({ simulator }: Scenario) =>
  simulator.inventory().ddosProfiles.map(({ id, ip_address: address }) => [id, address]);

describe('removeProtection', () => {
  it('removes the profile of the address, and verifies that it is gone', () =>
    inScenario({ state: STATE, record: 'protection-removed' }, async (scenario) => {
      const run = await scenario.start('removeProtection', { address: ADDRESS });

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toMatchObject({ address: ADDRESS, profileId: 1, before: { active: false } });
      expect(taskIds).toHaveLength(1);
      expect(ledger).toMatchObject([
        { name: 'remove profile', state: 'verified', note: 'gone', resources: [] },
      ]);
      expect(left(scenario)).toEqual([[2, OTHER]]);
      expect(scenario.mutations()).toEqual([`DELETE ${PROFILES_PATH}/1`]);
    }));

  it('is blocked since one moment, however often it tries, and looks before each', () =>
    inScenario({ state: STATE, policy: { probeMs: 60_000 } }, async (scenario) => {
      const { simulator, start } = scenario;
      const refused = { kind: 'status', status: 401 } as const;
      simulator.faults.add({ match: { ...DELETE, times: Infinity }, action: refused });
      const run = await start('removeProtection', { address: ADDRESS });
      await untilBlocked(run, 'Unauthorized');
      const { blocked } = await run.query(statusQuery);

      await pass(600_000);
      const { blocked: later } = await run.query(statusQuery);
      simulator.faults.clear();
      simulator.faults.add({ match: DELETE, action: { kind: 'slow-task', factor: 50 } });
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await until('the API deletes it', () => simulator.inventory().tasks.length === 1);
      await pass(5_000);
      const { phase } = await run.query(statusQuery);
      await run.result();

      expect(later?.since).toBe(blocked?.since);
      expect(phase).toBe('waiting');
      const calls = simulator.requests.filter(({ path }) => path.startsWith(PROFILES_PATH));
      const isLooked = calls.map(
        ({ method }, at) => method !== 'DELETE' || calls[at - 1]?.method === 'GET',
      );
      expect(isLooked).not.toContain(false);
      expect(left(scenario)).toEqual([[2, OTHER]]);
    }));

  it('gives back what makes the protection again', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { before } = await (
        await scenario.start('removeProtection', { address: ADDRESS })
      ).result();

      const { profile_template: template } = before?.profile ?? {};
      const again = await scenario.start(
        'protectIp',
        protectInput({
          profile: {
            ip_address: ADDRESS,
            profile_template: template ?? 0,
            fields: [{ base_field: 7, field_value: 27015 }],
          },
        }),
      );

      expect(await again.result()).toMatchObject({
        created: true,
        after: { profile: before?.profile },
      });
    }));

  it('sends nothing when the address has no profile', () =>
    inScenario({}, async (scenario) => {
      const run = await scenario.start('removeProtection', { address: ADDRESS });

      expect(await run.result()).toMatchObject({ profileId: null, before: null, taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('asks which one is meant when there are several, and removes only that', () =>
    inScenario({ state: stateWithProfiles([ADDRESS, ADDRESS]) }, async (scenario) => {
      const run = await scenario.start('removeProtection', { address: ADDRESS });
      await untilBlocked(run, 'OutcomeUnknown');

      const input = { address: ADDRESS, profileId: 2, account: scenario.account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect(await run.result()).toMatchObject({ profileId: 2 });
      expect(left(scenario)).toEqual([[1, ADDRESS]]);
    }));

  it.each([1, 2])('asks so also when list %d lacks one of them', (nth) =>
    inScenario(
      { state: stateWithProfiles([ADDRESS, ADDRESS]), line: createShortList(PROFILES_PATH, nth) },
      async (scenario) => {
        const run = await scenario.start('removeProtection', { address: ADDRESS });
        await untilBlocked(run, 'OutcomeUnknown');
        await pass(60_000);

        expect(left(scenario)).toHaveLength(2);
        await run.cancel();
        await endOfRun(run);
      },
    ),
  );

  it('leaves a profile alone that somebody makes for the address meanwhile', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator, api } = scenario;
      const error = 'internal error';
      simulator.faults.add({
        match: { ...DELETE, times: 3 },
        action: { kind: 'task-error', error, leftovers: 'none' },
      });
      const run = await scenario.start('removeProtection', { address: ADDRESS });
      await until('it has asked once', () =>
        simulator.requests.some(({ method }) => method === 'DELETE'),
      );
      await callByHand(api, `POST ${PROFILES_PATH}`, protectInput().profile);

      expect(await run.result()).toMatchObject({ profileId: 1 });
      expect(left(scenario)).toEqual([
        [2, OTHER],
        [expect.any(Number), ADDRESS],
      ]);
    }));

  it.each([
    ['the answer is lost', { kind: 'drop-response' }],
    ['the request is lost', { kind: 'drop-request' }],
    ['the API is busy', { kind: 'status', status: 409 }],
  ] as const)('goes on when %s', (_, action) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...DELETE, times: 1 }, action });
      const run = await scenario.start('removeProtection', { address: ADDRESS });

      expect(await run.result()).toMatchObject({ profileId: 1 });
      expect(left(scenario)).toEqual([[2, OTHER]]);
    }),
  );

  it('blocks while the API does not remove it, and goes on', () =>
    inScenario({ state: STATE, policy: { probeMs: 200 } }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { ...DELETE, times: Infinity },
        action: { kind: 'status', status: 409 },
      });
      const run = await scenario.start('removeProtection', { address: ADDRESS });
      await untilBlocked(run, 'RemovalBlocked');

      scenario.simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ profileId: 1 });
    }));

  it('refuses a profile that the platform manages itself', () =>
    inScenario(
      { state: stateWithProfiles([ADDRESS], { managedBy: 'system' }) },
      async (scenario) => {
        const run = await scenario.start('removeProtection', { address: ADDRESS });

        expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
        expect(scenario.mutations()).toEqual([]);
      },
    ));
});

const PLANS = [
  ['a removal', {}, { ready: true, irreversible: [expect.stringContaining('protection')] }],
  ['nothing to do', { address: '203.0.113.9' }, { findings: [{ severity: 'warning' }] }],
  ['no region', { regionId: 99 }, { findings: [{ path: 'regionId' }] }],
] as const;

describe('the plan of removeProtection', () => {
  it('tells of a removal, and of each reason against it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const plans = await Promise.all(
        PLANS.map(async ([name, change]) => {
          const input = { address: ADDRESS, ...change };
          return { name, plan: await planOf(scenario, 'removeProtection', { input }) };
        }),
      );

      expect(plans).toMatchObject(PLANS.map(([name, , plan]) => ({ name, plan })));
      expect(scenario.mutations()).toEqual([]);
    }));
});
