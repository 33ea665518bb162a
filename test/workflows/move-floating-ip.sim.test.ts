import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { correctRun } from '../support/runs/correct-run.js';
import { planOf } from '../support/runs/plan-of.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { endOfRun, failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { pass } from '../support/timing/pass.js';
import { until } from '../support/timing/until.js';
import {
  floatingIpOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2, floatingIp: 'apart' }]);
const THREE = [{ of: 1 }, { of: 2, floatingIp: 'apart' }, { of: 3, floatingIp: 'apart' }] as const;
const PATH = `/cloud/v2/floatingips/1/1/${floatingIpOf(1)}`;
const MOVE = { floatingIpId: floatingIpOf(1), instanceId: instanceIdOf(2) };

const portsOf = ({ simulator }: Scenario) =>
  simulator.inventory().floatingIps.map(({ port_id: port }) => port);

describe('moveFloatingIp', () => {
  it('moves the address from one instance to another in one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'floating-ip-moved' }, async (scenario) => {
      const run = await scenario.start('moveFloatingIp', MOVE);

      expect(await run.result()).toMatchObject({
        floatingIpId: floatingIpOf(1),
        address: '203.0.0.2',
        instanceId: instanceIdOf(2),
        portId: portOf(2),
        before: { portId: portOf(1), fixedIpAddress: '10.0.0.2' },
        taskIds: [expect.any(String)],
      });
      expect(portsOf(scenario)).toEqual([portOf(2), null]);
      expect(scenario.mutations()).toEqual([`PATCH ${PATH}`]);
    }));

  it('sends nothing when the instance has it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('moveFloatingIp', { ...MOVE, instanceId: instanceIdOf(1) });

      expect(await run.result()).toMatchObject({ taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('leads it to the asked address when it leads to another one of the same port', () => {
    const floatingIps = STATE.floatingIps.map((row) => ({ ...row, fixedIpAddress: '10.0.0.99' }));
    return inScenario({ state: { ...STATE, floatingIps } }, async (scenario) => {
      const run = await scenario.start('moveFloatingIp', { ...MOVE, instanceId: instanceIdOf(1) });

      expect(await run.result()).toMatchObject({ before: { fixedIpAddress: '10.0.0.99' } });
      expect(scenario.mutations()).toEqual([`PATCH ${PATH}`]);
    });
  });

  it('does so too when an answer does not say to which address it leads', () => {
    const [row] = STATE.floatingIps;
    const floatingIps = STATE.floatingIps.map((each) => ({
      ...each,
      fixedIpAddress: '10.0.0.99',
    }));
    return inScenario({ state: { ...STATE, floatingIps } }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: PATH.replace('v2', 'v1') },
        action: {
          kind: 'status',
          status: 200,
          body: { id: row?.id, port_id: row?.portId, fixed_ip_address: null },
        },
      });
      const run = await scenario.start('moveFloatingIp', { ...MOVE, instanceId: instanceIdOf(1) });

      await run.result();
      expect(scenario.mutations()).toEqual([`PATCH ${PATH}`]);
    });
  });

  it('refuses an address that another floating IP has, in a plan too', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }, { of: 2 }]) }, async (scenario) => {
      const message = `The address 10.0.0.3 has the floating IP ${floatingIpOf(2)} already`;

      expect(await planOf(scenario, 'moveFloatingIp', { input: MOVE })).toMatchObject({
        ready: false,
        findings: [{ path: 'fixedIpAddress', message }],
      });
      const run = await scenario.start('moveFloatingIp', MOVE);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(portsOf(scenario)).toEqual([portOf(1), portOf(2)]);
    }));

  it('takes it from the named port alone', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const from = (fromPortId: string) =>
        scenario.start('moveFloatingIp', { ...MOVE, fromPortId });

      expect(await failureOfRun(await from(portOf(2)))).toMatchObject({
        type: 'InvalidRequest',
        details: { faults: [{ path: 'fromPortId', message: expect.stringContaining(portOf(1)) }] },
      });
      expect(scenario.mutations()).toEqual([]);
      expect(await (await from(portOf(1).toUpperCase())).result()).toMatchObject({
        portId: portOf(2),
      });
    }));

  it('takes it from nowhere else when somebody is moving it at its look', () =>
    inScenario({ state: stateWithInstances(THREE) }, async (scenario) => {
      const { api, simulator, start } = scenario;
      const gate = createGate();
      const match = { method: 'PATCH', path: PATH };
      simulator.faults.add({ match, action: { kind: 'slow-task', factor: 10 } });
      simulator.faults.add({
        match: { ...match, nth: 2, times: 1 },
        action: { kind: 'delay', until: gate.opened },
      });
      await callByHand(api, `PATCH ${PATH}`, { port_id: portOf(3) });
      const run = await start('moveFloatingIp', { ...MOVE, fromPortId: portOf(1) });
      const isMoved = () => portsOf(scenario)[0] === portOf(3);
      await until('that has moved it', isMoved);
      gate.open();

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        details: { faults: [{ path: 'fromPortId' }] },
      });
      expect(isMoved()).toBe(true);
      expect((await run.query(statusQuery)).steps).toMatchObject([{ taskIds: [] }]);
    }));

  it('says what it waits for while somebody else is moving it', () =>
    inScenario({ state: stateWithInstances(THREE) }, async (scenario) => {
      const { api, simulator, start, mutations } = scenario;
      const match = { method: 'PATCH', path: PATH };
      simulator.faults.add({ match, action: { kind: 'slow-task', factor: 100_000 } });
      await callByHand(api, `PATCH ${PATH}`, { port_id: portOf(3) });
      const run = await start('moveFloatingIp', { ...MOVE, fromPortId: portOf(1) });
      await pass(60_000);

      expect((await run.query(statusQuery)).waiting?.for).toMatch(/^task /);
      expect(mutations()).toEqual([`PATCH ${PATH}`]);
      await run.cancel();
      await endOfRun(run);
    }));

  it('takes another input while somebody else is moving it, as long as it has sent nothing', () =>
    inScenario({ state: stateWithInstances(THREE) }, async (scenario) => {
      const { api, simulator, start, mutations } = scenario;
      const match = { method: 'PATCH', path: PATH, times: 1 };
      simulator.faults.add({ match, action: { kind: 'slow-task', factor: 1_000 } });
      await callByHand(api, `PATCH ${PATH}`, { port_id: portOf(3) });
      const run = await start('moveFloatingIp', { ...MOVE, fromPortId: portOf(1) });
      await pass(10_000);
      expect((await run.query(statusQuery)).waiting?.for).toMatch(/^task /);
      expect(mutations()).toHaveLength(1);

      await correctRun(scenario, run, { ...MOVE, fromPortId: portOf(3) });

      expect(await run.result()).toMatchObject({});
      expect(portsOf(scenario)[0]).toBe(portOf(2));
    }));

  it('moves it once when the answer is lost', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const match = { method: 'PATCH', path: PATH };
      scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await scenario.start('moveFloatingIp', MOVE);

      expect(await run.result()).toMatchObject({ portId: portOf(2) });
      expect(scenario.mutations()).toEqual([`PATCH ${PATH}`]);
    }));

  it('says what is missing', () =>
    inScenario({ state: STATE }, async (scenario) => {
      expect(
        await planOf(scenario, 'moveFloatingIp', {
          input: { ...MOVE, instanceId: instanceIdOf(9) },
        }),
      ).toMatchObject({ findings: [{ path: 'instanceId' }] });
      expect(
        await planOf(scenario, 'moveFloatingIp', {
          input: { ...MOVE, floatingIpId: floatingIpOf(9) },
        }),
      ).toMatchObject({ findings: [{ path: 'floatingIpId' }] });
    }));

  it.each([
    ['the address', PATH.replace('v2', 'v1')],
    ['the instance', `/cloud/v1/instances/1/1/${instanceIdOf(2)}/interfaces`],
  ])('is not ended by one 404 of %s', (_of, path) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path, times: 1 },
        action: { kind: 'status', status: 404 },
      });

      const run = await scenario.start('moveFloatingIp', MOVE);

      expect(await run.result()).toMatchObject({ portId: portOf(2) });
      expect(scenario.mutations()).toEqual([`PATCH ${PATH}`]);
    }),
  );

  it('is not ended by one empty list of ports', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: /interfaces$/, times: 1 },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });

      const run = await scenario.start('moveFloatingIp', MOVE);

      expect(await run.result()).toMatchObject({ portId: portOf(2) });
    }));

  it.each([
    ['NotFound', { floatingIpId: floatingIpOf(9) }],
    ['InvalidRequest', { instanceId: instanceIdOf(9) }],
  ])('fails at once as %s where no list has it either', (type, named) =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('moveFloatingIp', { ...MOVE, ...named });

      expect(await failureOfRun(run)).toMatchObject({ type });
      expect(scenario.mutations()).toEqual([]);
      expect(scenario.simulator.requests.length).toBeLessThan(8);
    }),
  );

  it('waits for no turn, after a correction, while it has one that comes later', () =>
    inScenario({ state: STATE }, async ({ start, simulator, account }) => {
      const gate = createGate();
      const apart = { floatingIpId: floatingIpOf(2), instanceId: instanceIdOf(2) };
      const path = `/cloud/v1/floatingips/1/1/${floatingIpOf(2)}`;
      simulator.faults.add({
        match: { method: 'GET', path, times: 1 },
        action: { kind: 'delay', until: gate.opened },
      });
      const first = await start('moveFloatingIp', apart, 'first');
      await until('it looks in its turns', () =>
        simulator.inFlight().some((call) => call.path === path),
      );
      await first.executeUpdate(pauseUpdate);
      const second = await start('moveFloatingIp', MOVE, 'second');
      const waitsAt = `its turn at instance/${instanceIdOf(2)}`;
      await until('the other one waits for the instance', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.for === waitsAt;
      });

      // It needs the turn of the other run now, which waits for one of its own.
      await first.executeUpdate(resumeUpdate, { args: [{ input: { ...MOVE, account } }] });
      gate.open();

      const ends = await Promise.all([first.result(), second.result()]);
      expect(ends).toMatchObject([{ portId: portOf(2) }, { portId: portOf(2) }]);
    }));
});
