import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../../src/client/index.js';
import { plannedIdOf } from '../../../../src/engine/core/names.js';
import {
  ADDRESS,
  PORTS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../../support/inputs/protect-input.js';
import { planOf } from '../../../support/runs/plan-of.js';
import { plannedWrites } from '../../planned-writes.js';
import { provisionInput } from '../../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../../simulation/scenario.js';
const planProtect = (scenario: Scenario, ...input: Parameters<typeof protectInput>) =>
  planOf(scenario, 'protectIp', { input: protectInput(...input) });

describe('the plan of protectIp', () => {
  it('lists the calls that would replace the existing profile, and restore it later', () =>
    inScenario({ state: stateWithProfiles([ADDRESS]) }, async (scenario) => {
      const before = scenario.simulator.snapshot();
      const plan = await planProtect(scenario, { holdFor: '2 hours' });

      expect(plan).toMatchObject({
        operation: 'protectIp',
        ready: true,
        findings: [{ severity: 'warning', path: 'profile.fields' }],
        adopts: [{ kind: 'ddos-profile', id: '1' }],
      });
      expect(plan.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /cloud/v1/ddos/region_coverage/1',
        'GET /cloud/v1/ddos/accessibility/1',
        'GET /cloud/v1/ddos/profile-templates/1',
        `GET ${PROFILES_PATH}`,
        `PATCH ${PROFILES_PATH}/1`,
        `POST ${PROFILES_PATH}/1/action`,
        'GET /cloud/v1/tasks/{task_id}',
        `GET ${PROFILES_PATH}`,
        `PATCH ${PROFILES_PATH}/1`,
        `POST ${PROFILES_PATH}/1/action`,
      ]);
      expect(plan.calls[8]?.purpose).toBe('after 2 hours: back to template 13, not active');
      expect(scenario.mutations()).toEqual([]);
      expect(scenario.simulator.snapshot()).toEqual(before);
    }));

  it.each([
    ['without a profile', undefined, {}],
    ['with a profile', stateWithProfiles([ADDRESS]), {}],
    ['with a profile that is restored', stateWithProfiles([ADDRESS]), { holdFor: '1 second' }],
    ['without a profile, protected for a time', undefined, { holdFor: '1 second' }],
    [
      'with the requested profile',
      stateWithProfiles([ADDRESS], {
        templateId: 12,
        fields: [PORTS],
        active: true,
      }),
      {},
    ],
  ] as const)(
    'lists the changes exactly as the run sends them, for an address %s',
    (_, state, change) =>
      inScenario({ profileBirth: 'off', ...(state && { state }) }, async (scenario) => {
        const plan = await planProtect(scenario, change);
        await (await scenario.start('protectIp', protectInput(change))).result();

        const sent = scenario.mutations().map((call) => call.replace(/\/1\/1\/\d+/, '/1/1/*'));
        // The run repeats a removal until the list shows it.
        const once = sent.filter((call, index) => call !== sent[index - 1]);
        expect(plannedWrites(plan, /\/1\/1\/(\d+|\{\w+\})/, '/1/1/*')).toEqual(once);
      }),
  );

  it('belongs to the request of its address if the caller names no request id', () =>
    inScenario({}, async ({ client, taskQueue, account }) => {
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const input = { ...protectInput(), account };

      const { workflowId } = await gcore.startPlan('protectIp', { input });

      expect(plannedIdOf(workflowId)).toBe(`protect-ip/${account}/${ADDRESS}`);
      expect(await gcore.planOf(workflowId)).toMatchObject({ ready: true });
    }));

  it('takes no turn, so it works while another run holds the address', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const holder = await scenario.start('protectIp', protectInput({ holdFor: '1 hour' }));
      while (scenario.mutations().length < 2) await new Promise((done) => setTimeout(done, 50));

      const plan = await planProtect(scenario);

      expect(plan.adopts).toMatchObject([{ kind: 'ddos-profile' }]);
      await holder.terminate();
    }));

  it.each([
    ['a region without protection', { regionId: 76 }, ['regionId', 'has no DDoS protection']],
    ['a region that refuses it', { regionId: 2 }, ['regionId', 'does not give this account']],
    ['an unknown region', { regionId: 99 }, ['regionId', 'no region 99']],
    ['an unknown project', { projectId: 99 }, ['projectId', 'no project 99']],
    ['several profiles', {}, ['profileId', 'several profiles: 1, 2']],
    ['another id', { profileId: 9 }, ['profileId', 'no profile 9']],
  ] as const)('is not ready with %s', (_, change, [path, said]) =>
    inScenario({ state: stateWithProfiles([ADDRESS, ADDRESS]) }, async (scenario) => {
      const { ready, findings } = await planProtect(scenario, change);

      expect(ready).toBe(false);
      expect(findings).toEqual([
        {
          severity: 'fault',
          path,
          message: expect.stringContaining(said),
          advice: expect.any(String),
        },
      ]);
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it('names each field that the template does not accept', () =>
    inScenario({}, async (scenario) => {
      const fields = [{ base_field: 3, field_value: [80] }, { base_field: 9 }];
      const { findings } = await planProtect(scenario, {
        profile: { ...protectInput().profile, fields },
      });

      expect(findings.map(({ severity, path }) => `${severity} ${path ?? ''}`)).toEqual([
        'fault profile.fields[0].field_value[0]',
        'fault profile.fields[1].base_field',
      ]);
    }));
});

describe('the plan of provisionInstance with "protect"', () => {
  const protect = { profile_template: 12, fields: [{ base_field: 3, field_value: [8080] }] };
  const interfaces = [{ type: 'external' as const }];
  const planIt = (scenario: Scenario, rest: Parameters<typeof provisionInput>[1]) =>
    planOf(scenario, 'provisionInstance', {
      requestId: 'order-1',
      input: provisionInput({ interfaces }, { protect, ...rest }),
    });

  it('lists the calls of the protection although the address is not known yet', () =>
    inScenario({ profileBirth: 'off' }, async (scenario) => {
      const plan = await planIt(scenario, {});
      await (
        await scenario.start('provisionInstance', provisionInput({ interfaces }, { protect }))
      ).result();

      expect(plan.ready).toBe(true);
      expect(plan.findings).toContainEqual({
        severity: 'warning',
        path: 'protect',
        message: expect.stringContaining('address is unknown before'),
        advice: expect.any(String),
      });
      const sent = scenario.mutations().map((call) => call.replace(/\/1\/1\/\d+/, '/1/1/*'));
      expect(plannedWrites(plan, /\/1\/1\/\{\w+\}/, '/1/1/*')).toEqual(sent);
    }));

  it('is not ready where protection is impossible, and only warns for an alternative', () =>
    inScenario({}, async (scenario) => {
      const here = await planIt(scenario, { regionId: 76 });
      const bare = await planIt(scenario, { protect: { profile_template: 12 } });
      const there = await planIt(scenario, { alternatives: [{ regionId: 76 }] });

      expect(here.findings).toContainEqual(
        expect.objectContaining({ severity: 'fault', path: 'protect' }),
      );
      expect(bare.findings).toContainEqual(
        expect.objectContaining({ severity: 'fault', path: 'protect.fields' }),
      );
      expect(there.ready).toBe(true);
      expect(there.findings).toContainEqual(
        expect.objectContaining({ severity: 'warning', path: 'alternatives[0].regionId' }),
      );
    }));

  it('knows the address of an instance that exists', () =>
    inScenario({}, async (scenario) => {
      const workflowId = `provision-instance/${scenario.account}/order-1`;
      const input = provisionInput({ interfaces });
      const run = await scenario.start('provisionInstance', input, workflowId);
      const { addresses } = await run.result();
      const before = scenario.mutations();

      const plan = await planIt(scenario, {});

      expect(plan.adopts[0]?.kind).toBe('instance');
      expect(plan.calls.map(({ purpose }) => purpose)).toContain(
        `look for a profile of ${addresses[0]?.address ?? ''}`,
      );
      expect(plannedWrites(plan, /x/, '')).toEqual([
        `POST ${PROFILES_PATH}`,
        `POST ${PROFILES_PATH}/{profile_id}/action`,
      ]);
      expect(scenario.mutations()).toEqual(before);
    }));
});
