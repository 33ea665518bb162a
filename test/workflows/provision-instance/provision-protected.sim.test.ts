import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import { ACTION, PORTS } from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { NETWORK } from '../../support/inputs/bad-inputs.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const PROTECT = { profile_template: 12, fields: [PORTS] };
const INPUT = provisionInput({}, { protect: PROTECT });
const SWITCH = { method: 'POST', path: ACTION };

describe('provisionInstance with protect', () => {
  it('reports success when the public address is protected', () =>
    inScenario({ record: 'created-protected' }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', INPUT);

      const result = await run.result();

      const [profile] = simulator.inventory().ddosProfiles;
      expect(profile).toMatchObject({
        ip_address: result.addresses[0]?.address,
        options: { active: true },
      });
      expect(result.protection).toEqual({
        address: profile?.ip_address,
        profileId: profile?.id,
        active: true,
        status: 'Active',
        workflowId: `${run.workflowId}/protect`,
      });
      expect(result.ledger.map(({ name, state }) => `${name}: ${state}`)).toEqual([
        'create instance: verified',
        'verify instance: verified',
        'protect instance: verified',
      ]);
    }));

  it('removes first the profile and then the instance when the protection fails', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator, mutations }) => {
      const action = { kind: 'task-error', error: 'No scrubbing capacity left' } as const;
      simulator.faults.add({ match: SWITCH, action: { ...action, error: 'It broke' } });

      const failure = await failureOfRun(await start('provisionInstance', INPUT));

      expect(failure).toMatchObject({
        type: 'TaskFailed',
        message: expect.stringContaining('It broke'),
        details: { step: 'protect instance', resources: [] },
      });
      expect(simulator.inventory()).toMatchObject({ instances: [], ddosProfiles: [], volumes: [] });
      const deletes = mutations().filter((call) => call.startsWith('DELETE'));
      expect(deletes[0]).toContain('/ddos/profiles/');
    }));

  it('keeps both with onFailure "keep", and names them', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator }) => {
      const action = { kind: 'task-error', error: 'It broke' } as const;
      simulator.faults.add({ match: SWITCH, action });

      const input = { ...INPUT, onFailure: 'keep' } as const;
      const { details } = await failureOfRun(await start('provisionInstance', input));

      const { instances, ddosProfiles } = simulator.inventory();
      const ids = details.resources?.map(({ id }) => id);
      expect(ids).toContain(instances[0]?.id);
      expect(ids).toContain(String(ddosProfiles[0]?.id));
    }));

  it('cancels the protecting run, and removes the profile before the instance', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator, mutations }) => {
      const gate = createGate();
      simulator.faults.add({ match: SWITCH, action: { kind: 'delay', until: gate.opened } });
      const run = await start('provisionInstance', INPUT);
      await until('the activation is sent', () =>
        simulator.inFlight().some(({ path }) => ACTION.test(path)),
      );
      const { waiting } = await run.query(statusQuery);

      await run.cancel();
      gate.open();
      await endOfRun(run);

      expect(waiting?.for).toBe(`run ${run.workflowId}/protect`);
      expect((await run.query(statusQuery)).phase).toBe('cancelled');
      expect(simulator.inventory()).toMatchObject({ instances: [], ddosProfiles: [], volumes: [] });
      const deletes = mutations().filter((call) => call.startsWith('DELETE'));
      expect(deletes.findIndex((call) => call.includes('/ddos/'))).toBe(0);
    }));

  it('does not say that nothing of the protection is left when its run could not remove it', () =>
    inScenario({ profileBirth: 'off' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: SWITCH, action: { kind: 'task-error', error: 'It broke' } });
      const match = { method: 'DELETE', path: /\/ddos\//, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 401 } });
      const run = await start('provisionInstance', { ...INPUT, onBlocked: 'fail' });

      const { details } = await failureOfRun(run);

      const { instances, ddosProfiles } = simulator.inventory();
      const left = ddosProfiles.map(({ id }) => ({ kind: 'ddos-profile', id: String(id) }));
      const { steps } = await run.query(statusQuery);
      expect(left).toHaveLength(1);
      expect(instances).toEqual([]);
      expect(details.resources).toEqual(left);
      expect(steps[2]).toMatchObject({ state: 'outcome-unknown', resources: left });
    }));

  const ALONE = [
    {
      how: 'terminated',
      end: (part: WorkflowHandle) => part.terminate('wrong button'),
      left: [{}],
      ended: { state: 'outcome-unknown', note: expect.stringContaining('/protect') },
    },
    {
      how: 'cancelled',
      end: (part: WorkflowHandle) => part.cancel(),
      left: [],
      ended: { state: 'undone' },
    },
  ];

  it.each(ALONE)(
    'undoes its work, and says what is left, when the run of the protection alone was $how',
    ({ how, end, left, ended }) =>
      inScenario({ profileBirth: 'off', replays: false }, async ({ start, simulator, client }) => {
        const gate = createGate();
        simulator.faults.add({ match: SWITCH, action: { kind: 'delay', until: gate.opened } });
        const run = await start('provisionInstance', INPUT);
        await until('the activation is sent', () =>
          simulator.inFlight().some(({ path }) => ACTION.test(path)),
        );

        await end(client.workflow.getHandle(`${run.workflowId}/protect`));
        gate.open();
        const { type, message, details } = await failureOfRun(run);

        const { steps, phase } = await run.query(statusQuery);
        expect({ type, phase }).toEqual({ type: 'Aborted', phase: 'failed' });
        expect(message).toContain(`${run.workflowId}/protect`);
        expect(message).toContain(`was ${how}`);
        expect(details.advice).toMatch(/^(Look|Start)/);
        expect(simulator.inventory()).toMatchObject({ instances: [], ddosProfiles: left });
        expect(steps[2]).toMatchObject(ended);
      }),
  );
});

describe('provisionInstance with protect, when an answer does not show the address yet', () => {
  const FLOATING = provisionInput({
    interfaces: [
      { type: 'external' },
      { type: 'any_subnet', network_id: NETWORK, floating_ip: { source: 'new' } },
    ],
  });

  /** Makes the instance without a protection, then takes it over with one: the first look at it is `shown`. */
  async function protectMade(
    { start, simulator, api }: Scenario,
    input: typeof FLOATING,
    { of, times }: { of: (addresses: object) => object; times: number },
  ) {
    const id = 'request-of-two-runs';
    const { instanceId } = await (await start('provisionInstance', input, id)).result();
    const path = `/cloud/v1/instances/1/1/${instanceId}`;
    const shown = Object.assign({ addresses: {} }, await callByHand(api, `GET ${path}`));
    const body = { ...shown, addresses: of(shown.addresses) };
    simulator.faults.add({
      match: { method: 'GET', path, times },
      action: { kind: 'status', status: 200, body },
    });
    return start('provisionInstance', { ...input, protect: PROTECT }, id);
  }

  const none = () => ({});
  const withoutFloating = (addresses: object) =>
    Object.fromEntries(
      Object.entries(addresses).map(([network, items]) => [
        network,
        [items].flat().filter((item: { type?: string }) => item.type !== 'floating'),
      ]),
    );

  it.each([
    ['no address', provisionInput(), none],
    ['no floating IP, for which it has asked,', FLOATING, withoutFloating],
  ])('protects what the next one shows when the first shows %s', (_, input, of) =>
    inScenario({}, async (scenario) => {
      const run = await protectMade(scenario, input, { of, times: 1 });

      const { protection } = await run.result();

      const { floatingIps, instances, ddosProfiles } = scenario.simulator.inventory();
      const [floating] = floatingIps.map(({ floating_ip_address: address }) => address);
      expect(instances).toHaveLength(1);
      expect(ddosProfiles.map(({ ip_address: address }) => address)).toEqual([protection?.address]);
      expect(protection?.address).toBe(floating ?? ddosProfiles[0]?.ip_address);
    }),
  );

  it('protects no other address, and blocks, while no answer shows the floating IP', () =>
    inScenario({}, async (scenario) => {
      const given = { of: withoutFloating, times: Infinity };
      const run = await protectMade(scenario, FLOATING, given);

      await untilBlocked(run, 'OutcomeUnknown');
      const before = scenario.simulator.inventory();
      scenario.simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { protection } = await run.result();

      expect(before).toMatchObject({ instances: [{}], ddosProfiles: [] });
      expect(protection?.address).toBe(before.floatingIps[0]?.floating_ip_address);
    }));
});
