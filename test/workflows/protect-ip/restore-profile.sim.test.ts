import { describe, expect, it } from '@jest/globals';

import { restoreUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { isTerminal } from '../../../src/engine/core/tasks.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import {
  ADDRESS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const ONE = `${PROFILES_PATH}/1`;
const SLOW = 30_000;

/** Protects an address that has a profile, and lets somebody else act during the hold. */
async function restoreAfter(
  { start, simulator }: Scenario,
  act: () => Promise<unknown>,
  profile = protectInput().profile,
) {
  const run = await start('protectIp', protectInput({ holdFor: '1 hour', profile }));
  await until('the protection is held', async () => {
    const { steps } = await run.query(statusQuery);
    return steps.some(({ name, state }) => name === 'hold protection' && state === 'waiting');
  });
  await act();
  await until('no task of that is running', () =>
    simulator.inventory().tasks.every(({ state }) => isTerminal(state)),
  );
  await run.executeUpdate(restoreUpdate);
  return run;
}

describe('the end of a hold', () => {
  it(
    'restores also what somebody else has changed meanwhile',
    () => {
      const template = { ip_address: ADDRESS, profile_template: 13 };
      const state = stateWithProfiles([ADDRESS], { templateId: 13, fields: [] });
      return inScenario({ state }, async (scenario) => {
        const { api, simulator } = scenario;
        const other = { ...template, fields: [{ base_field: 7, field_value: 8443 }] };
        const run = await restoreAfter(
          scenario,
          () => callByHand(api, `PATCH ${ONE}`, other),
          template,
        );

        await expect(run.result()).resolves.toMatchObject({ restored: true });

        expect(simulator.inventory().ddosProfiles).toMatchObject([
          { profile_template: { id: 13 }, options: { active: false } },
        ]);
        expect(JSON.stringify(simulator.inventory().ddosProfiles)).not.toContain('8443');
      });
    },
    SLOW,
  );

  it(
    'blocks when somebody has removed the profile meanwhile',
    () =>
      inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
        const { api } = scenario;
        const run = await restoreAfter(scenario, () => callByHand(api, `DELETE ${ONE}`));

        await until('it is blocked', async () => {
          const { blocked } = await run.query(statusQuery);
          return blocked?.message.includes('is not listed any more') === true;
        });
        await run.terminate();
      }),
    SLOW,
  );

  it(
    'reads before it sends again when its first try could not restore everything',
    () =>
      inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
        const { simulator } = scenario;
        const match = { method: 'PATCH' };
        const run = await restoreAfter(scenario, () => {
          simulator.faults.add({ match, action: { kind: 'status', status: 401 } });
          return Promise.resolve();
        });
        await until('it is blocked', async () => {
          const { blocked } = await run.query(statusQuery);
          return blocked?.type === 'Unauthorized';
        });
        await run.executeUpdate('resume');

        await expect(run.result()).resolves.toMatchObject({ restored: true });

        const calls = simulator.requests.map(({ method, path }) => `${method} ${path}`);
        const refused = simulator.requests.findIndex(({ status }) => status === 401);
        const [next] = calls.slice(refused + 1);
        expect(next).toMatch(/^GET .*profiles/);
      }),
    SLOW,
  );

  it.each([
    ['once', 1],
    ['every time before the change', 4],
  ])('writes no template that it does not know, where answers lack it %s', (_often, times) =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const { simulator, start, mutations } = scenario;
      const [profile] = simulator.inventory().ddosProfiles;
      const listed = { count: 1, results: [{ ...profile, profile_template: null }] };
      simulator.faults.add({
        match: { method: 'GET', path: PROFILES_PATH, times },
        action: { kind: 'status', status: 200, body: listed },
      });
      const run = await start(
        'protectIp',
        protectInput({ holdFor: '1 minute', onBlocked: 'fail' }),
      );

      const ended = await Promise.allSettled([run.result()]);

      const [{ status }] = ended;
      expect(status).toBe(times === 1 ? 'fulfilled' : 'rejected');
      expect(JSON.stringify(simulator.requests)).not.toContain('"profile_template":0');
      expect(simulator.inventory().ddosProfiles).toMatchObject([
        { profile_template: { id: times === 1 ? 13 : 12 } },
      ]);
      expect(mutations().length).toBeGreaterThan(0);
    }),
  );
});
