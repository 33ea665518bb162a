import { describe, expect, it } from '@jest/globals';

import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2, floatingIp: 'apart' }]);
const MOVE = { floatingIpId: floatingIpOf(1), instanceId: instanceIdOf(2) };
/** The call has been sent, and the API takes it only then. */
const SLOW = { kind: 'delay', ms: 1_500 } as const;

async function untilDeleting({ simulator }: Scenario, kind: string): Promise<void> {
  await until('the delete is sent', () =>
    simulator
      .inFlight()
      .some(({ method, path }) => method === 'DELETE' && path.includes(`/${kind}/`)),
  );
}

const floatingIps = ({ simulator }: Scenario) =>
  simulator.inventory().floatingIps.map(({ id, port_id: portId }) => ({ id, portId }));

describe('a floating IP is moved only before or after', () => {
  it('the deletion of the instance that it shall lead to', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const path = `/cloud/v1/instances/1/1/${instanceIdOf(2)}`;
      simulator.faults.add({ match: { method: 'DELETE', path }, action: SLOW });
      const before = floatingIps(scenario);
      const deletion = await start('deleteInstance', {
        instanceId: instanceIdOf(2),
        volumes: 'delete',
        floatingIps: 'keep',
        unlessFloatingIpId: floatingIpOf(1),
      });
      await untilDeleting(scenario, 'instances');

      const move = await start('moveFloatingIp', MOVE);

      expect((await failureOfRun(move)).message).toContain('There is no instance');
      expect(await deletion.result()).toMatchObject({ deleted: { instance: true } });
      expect(floatingIps(scenario)).toEqual(before);
      expect(mutations().filter((call) => call.startsWith('PATCH'))).toEqual([]);
    }));

  it('its own deletion with the instance that it leads to', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ match: { method: 'DELETE', path: /floatingips/ }, action: SLOW });
      const deletion = await start('deleteInstance', {
        instanceId: instanceIdOf(1),
        volumes: 'delete',
        floatingIps: 'delete',
      });
      await untilDeleting(scenario, 'floatingips');

      const move = await start('moveFloatingIp', MOVE);

      expect((await failureOfRun(move)).type).toBe('NotFound');
      expect(await deletion.result()).toMatchObject({
        deleted: { floatingIps: [floatingIpOf(1)] },
      });
      expect(mutations().filter((call) => call.startsWith('PATCH'))).toEqual([]);
    }));

  it('the deletion of the instance that it has led to, which leaves it alone then', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { start, simulator } = scenario;
      simulator.faults.add({ match: { method: 'PATCH', path: /floatingips/ }, action: SLOW });
      const move = await start('moveFloatingIp', MOVE);
      await until('the move is sent', () =>
        simulator.inFlight().some(({ method }) => method === 'PATCH'),
      );

      const deletion = await start('deleteInstance', {
        instanceId: instanceIdOf(1),
        volumes: 'delete',
        floatingIps: 'delete',
      });

      expect(await move.result()).toMatchObject({ instanceId: instanceIdOf(2) });
      expect(await deletion.result()).toMatchObject({ deleted: { floatingIps: [] } });
      expect(floatingIps(scenario).map(({ id }) => id)).toContain(floatingIpOf(1));
    }));

  it('another deletion: two runs on the same things wait for each other in one order', () =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      const all = { volumes: 'delete', floatingIps: 'delete' } as const;
      const ids = [1, 2, 1, 2].map(instanceIdOf);
      const runs = await Promise.all(
        ids.map((instanceId, at) => start('deleteInstance', { instanceId, ...all }, `run-${at}`)),
      );
      const moves = await Promise.all([
        start('moveFloatingIp', MOVE, 'there'),
        start('moveFloatingIp', { ...MOVE, instanceId: instanceIdOf(1) }, 'back'),
      ]);

      await Promise.all(runs.map((run) => run.result()));
      await Promise.allSettled(moves.map((run) => run.result()));

      expect(simulator.inventory().instances).toEqual([]);
    }));
});

describe('a deletion that another one has overtaken', () => {
  it('names what that has kept, and leaves it alone', () =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      const first = await start('deleteInstance', {
        instanceId: instanceIdOf(1),
        volumes: [bootVolumeOf(1)],
        floatingIps: 'keep',
      });
      await until('its task goes on', () =>
        simulator.snapshot().instances.some(({ taskId }) => taskId !== null),
      );

      const second = await start('deleteInstance', {
        instanceId: instanceIdOf(1),
        volumes: 'delete',
        floatingIps: 'delete',
      });

      expect(await first.result()).toMatchObject({ deleted: { instance: true } });
      const kept = { volumes: [dataVolumeOf(1)], floatingIps: [floatingIpOf(1)] };
      expect(await second.result()).toMatchObject({ alreadyGone: true, kept });
      const { volumes, floatingIps: addresses } = simulator.inventory();
      expect(volumes.map(({ id }) => id)).toContain(dataVolumeOf(1));
      expect(addresses.map(({ id }) => id)).toContain(floatingIpOf(1));
    }));
});
