import { describe, expect, it } from '@jest/globals';

import type { Plan } from '../../../../src/contract/index.js';
import { planOf } from '../../../support/runs/plan-of.js';
import { inScenario } from '../../../simulation/scenario.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../../../support/worlds/instances.js';
const MAKER = 'provision-instance/default/order-4711';
const marker = `default/${MAKER}`;
const CHOICES = { volumes: 'delete' as const, floatingIps: 'delete' as const };
const ALL = { ...CHOICES, instanceId: instanceIdOf(1) };

const writesOf = ({ calls }: Plan): string[] =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('the plan of deleteInstance', () => {
  it('lists the parts to delete and the parts to keep, by name and id', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const input = { ...ALL, volumes: [bootVolumeOf(1)] };
      const plan = await planOf(scenario, 'deleteInstance', { input });

      expect(plan).toMatchObject({ ready: true, adopts: [] });
      expect(plan.irreversible).toEqual([
        expect.stringContaining(`Instance web-1 (${instanceIdOf(1)})`),
        expect.stringContaining(`Volume boot-1 (${bootVolumeOf(1)})`),
        expect.stringContaining(`Floating IP 203.0.0.2 (${floatingIpOf(1)})`),
      ]);
      expect(plan.findings).toEqual([
        {
          severity: 'warning',
          path: 'volumes',
          message: `Volume data-1 (${dataVolumeOf(1)}) is kept and keeps costing money`,
        },
      ]);
      expect(scenario.mutations()).toEqual([]);
    }));

  it('lists the calls that the run then sends', () =>
    inScenario({ state: stateWithInstances([{ of: 1, marker }]) }, async (scenario) => {
      const input = { ...CHOICES, madeBy: MAKER };
      const plan = await planOf(scenario, 'deleteInstance', { input });
      await (await scenario.start('deleteInstance', input)).result();

      expect(writesOf(plan)).toEqual(scenario.mutations());
    }));

  it.each([
    ['a volume of another instance', { volumes: [bootVolumeOf(2)] }, 'volumes'],
    ['a floating IP of another instance', { floatingIps: [floatingIpOf(2)] }, 'floatingIps'],
    ['a kept volume that the API would delete', { volumes: 'keep' as const }, 'volumes'],
  ])('is not ready with %s', (_, choice, path) => {
    const state = stateWithInstances([{ of: 1, deleteOnTermination: true }, { of: 2 }]);
    return inScenario({ state }, async (scenario) => {
      const plan = await planOf(scenario, 'deleteInstance', { input: { ...ALL, ...choice } });

      const faults = plan.findings.filter(({ severity }) => severity === 'fault');
      expect(faults.map((fault) => fault.path)).toContain(path);
      expect(plan.ready).toBe(false);
    });
  });

  it('is not ready when two instances carry the marker', () => {
    const state = stateWithInstances([
      { of: 1, marker },
      { of: 2, marker },
    ]);
    return inScenario({ state }, async (scenario) => {
      const input = { ...CHOICES, madeBy: MAKER };
      const plan = await planOf(scenario, 'deleteInstance', { input });

      expect(plan.findings).toMatchObject([{ severity: 'fault', path: 'madeBy' }]);
    });
  });

  it('warns that the instance is gone, and lists the parts still to delete', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const keep = { ...ALL, volumes: 'keep' as const, floatingIps: 'keep' as const };
      await (await scenario.start('deleteInstance', keep)).result();
      const input = { ...ALL, volumes: [bootVolumeOf(1)], floatingIps: [floatingIpOf(1)] };
      const before = scenario.mutations().length;
      const plan = await planOf(scenario, 'deleteInstance', { input });
      await (await scenario.start('deleteInstance', input)).result();

      expect(plan).toMatchObject({ ready: true, findings: [{ path: 'instanceId' }] });
      expect(plan.irreversible).toHaveLength(2);
      expect(writesOf(plan)).toEqual(scenario.mutations().slice(before));
    }));
});
