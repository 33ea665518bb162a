import { describe, expect, it } from '@jest/globals';

import type { FaultMatch } from '../../../src/simulator/index.js';
import { planOf } from '../../support/runs/plan-of.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  existingIdsOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const INSTANCE = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
const DATA = `/cloud/v1/volumes/1/1/${dataVolumeOf(1)}`;
const FLOATING_IP = `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}`;
const ALL = {
  instanceId: instanceIdOf(1),
  volumes: 'delete' as const,
  floatingIps: 'delete' as const,
};

function notFound({ simulator }: Scenario, match: FaultMatch): void {
  simulator.faults.add({ match, action: { kind: 'status', status: 404 } });
}

const readsOf = ({ simulator }: Scenario): string[] =>
  simulator.requests.flatMap(({ method, path }) => (method === 'GET' ? path : []));

describe('deleteInstance, with one answer that something is gone', () => {
  it.each([
    ['the instance at the first look', { path: INSTANCE }],
    ['the instance after its deletion has failed', { path: INSTANCE, nth: 2 }],
    ['a volume of it', { path: DATA }],
    ['a floating IP of it', { path: FLOATING_IP }],
  ])('deletes all the same: %s', (_, match) =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator } = scenario;
      notFound(scenario, { method: 'GET', ...match });
      if (match.path === INSTANCE && 'nth' in match) {
        simulator.faults.add({
          match: { method: 'DELETE', path: INSTANCE },
          action: { kind: 'task-error', error: 'internal error' },
        });
      }

      const result = await (await scenario.start('deleteInstance', ALL)).result();

      expect(result).toMatchObject({ alreadyGone: false, deleted: { instance: true } });
      expect(existingIdsOf(simulator, 1)).toEqual([]);
    }),
  );

  it('deletes a named volume of an instance that is gone', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const keep = { ...ALL, volumes: 'keep', floatingIps: 'keep' } as const;
      await (await scenario.start('deleteInstance', keep)).result();
      notFound(scenario, { method: 'GET', path: DATA });
      notFound(scenario, { method: 'GET', path: FLOATING_IP });
      const named = { volumes: [dataVolumeOf(1)], floatingIps: [floatingIpOf(1)] };

      const result = await (await scenario.start('deleteInstance', { ...ALL, ...named })).result();

      expect(result).toMatchObject({ alreadyGone: true, deleted: named });
      expect(existingIdsOf(scenario.simulator, 1)).toEqual([bootVolumeOf(1)]);
    }));

  it('refuses a named volume of another instance', () =>
    inScenario({ state: STATE }, async (scenario) => {
      notFound(scenario, { method: 'GET', path: DATA.replace(/1$/, '2') });
      const choice = { ...ALL, volumes: [dataVolumeOf(2)] };

      const run = await scenario.start('deleteInstance', choice);

      expect((await failureOfRun(run)).type).toBe('InvalidRequest');
      expect(existingIdsOf(scenario.simulator, 2)).toEqual(idsOf(2));
    }));

  it('says how it has looked for what is gone, and asks the list once', () =>
    inScenario({}, async (scenario) => {
      const { ledger } = await (await scenario.start('deleteInstance', ALL)).result();

      expect(ledger[0]?.note).toMatch(/^the instance is gone already \(looked 1 time in 0 s\)/);
      expect(readsOf(scenario)).toEqual([
        INSTANCE,
        '/cloud/v1/instances/1/1',
        '/cloud/v1/floatingips/1/1',
      ]);
    }));

  it('reads the instance twice and each volume once before the deletion: nothing more is asked for where nothing is unsure', () =>
    inScenario({ state: STATE }, async (scenario) => {
      await (await scenario.start('deleteInstance', ALL)).result();

      const parts = [INSTANCE, DATA, DATA.replace(dataVolumeOf(1), bootVolumeOf(1)), FLOATING_IP];
      const counts = parts.map((part) => readsOf(scenario).filter((path) => path === part).length);
      // With its instance the address has lost its place, which one answer does not prove.
      expect(counts).toEqual([4, 3, 3, 3]);
    }));
});

describe('deleteInstance by request, when the instance is gone', () => {
  const MAKER = 'provision-instance/default/order-4711';
  const state = stateWithInstances([
    { of: 1, marker: `default/${MAKER}`, dataVolume: 'available' },
  ]);

  it.each([1, 2])('deletes a volume of the request that list %i lacks', (nth) =>
    inScenario({ state: { ...state, instances: [] } }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/volumes/1/1', nth },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });
      const input = { madeBy: MAKER, volumes: 'delete', floatingIps: 'keep' } as const;

      const result = await (await scenario.start('deleteInstance', input)).result();

      expect(result.deleted.volumes).toContain(dataVolumeOf(1));
      expect(existingIdsOf(scenario.simulator, 1)).not.toContain(dataVolumeOf(1));
    }),
  );
});

describe('a volume that another instance has too', () => {
  const shared = (times = Infinity, nth = 1) => ({
    match: { method: 'GET', path: DATA, times, nth },
    action: {
      kind: 'status',
      status: 200,
      body: {
        id: dataVolumeOf(1),
        status: 'in-use',
        attachments: [{ server_id: instanceIdOf(1) }, { server_id: instanceIdOf(2) }],
      },
    } as const,
  });

  it('is kept with "delete"', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add(shared());

      const result = await (await scenario.start('deleteInstance', ALL)).result();

      expect(result).toMatchObject({
        deleted: { instance: true, volumes: [bootVolumeOf(1)] },
        kept: { volumes: [dataVolumeOf(1)] },
      });
      expect(existingIdsOf(scenario.simulator, 1)).toEqual([dataVolumeOf(1)]);
    }));

  it('is refused by its id, in a plan too', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add(shared());
      const input = { ...ALL, volumes: [dataVolumeOf(1)] };
      const message = `volume ${dataVolumeOf(1)} belongs to instance ${instanceIdOf(2)}: the run leaves it alone`;

      const plan = await planOf(scenario, 'deleteInstance', { input });
      const run = await scenario.start('deleteInstance', input);

      expect(plan).toMatchObject({ ready: false });
      expect(plan.findings).toContainEqual(expect.objectContaining({ path: 'volumes', message }));
      expect((await failureOfRun(run)).details.faults).toEqual([{ path: 'volumes', message }]);
      expect(scenario.mutations()).toEqual([]);
    }));

  it('is refused when the other instance gets it while the API takes no delete', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const match = { method: 'DELETE', path: INSTANCE };
      scenario.simulator.faults.add({ match, action: { kind: 'status', status: 409 } });
      scenario.simulator.faults.add(shared(Infinity, 2));

      const run = await scenario.start('deleteInstance', ALL);

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining(`belongs to instance ${instanceIdOf(2)}`),
      });
      expect(existingIdsOf(scenario.simulator, 1)).toEqual(idsOf(1));
    }));
});
