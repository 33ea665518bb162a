import { describe, expect, it } from '@jest/globals';

import { planOf } from '../support/runs/plan-of.js';
import { inScenario } from '../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };

describe('resizeInstance', () => {
  it('changes the flavor with one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'instance-resized' }, async (scenario) => {
      const run = await scenario.start('resizeInstance', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({
        instanceId: instanceIdOf(1),
        before: 'g2-standard-2-4',
        flavor: 'g2-standard-4-8',
        status: 'ACTIVE',
      });
      expect(taskIds).toHaveLength(1);
      const note = 'g2-standard-2-4 → g2-standard-4-8';
      expect(ledger).toMatchObject([{ name: 'resize instance', state: 'verified', note }]);
      expect(scenario.mutations()).toEqual([
        `POST /cloud/v1/instances/1/1/${WANTED.instanceId}/changeflavor`,
      ]);
    }));
});

const PLANS = [
  ['a change', {}, { ready: true, irreversible: ['The instance restarts.'] }],
  ['nothing to do', { flavor: 'g2-standard-2-4' }, { findings: [{ severity: 'warning' }] }],
  ['an unknown flavor', { flavor: 'g2-standard-4-9' }, { findings: [{ path: 'flavor' }] }],
  ['no instance', { instanceId: instanceIdOf(9) }, { findings: [{ path: 'instanceId' }] }],
  ['no region', { regionId: 99 }, { findings: [{ path: 'regionId' }] }],
] as const;

describe('the plan of resizeInstance', () => {
  it('tells of a change, and of each reason against it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const plans = await Promise.all(
        PLANS.map(async ([name, change]) => {
          const input = { ...WANTED, ...change };
          return { name, plan: await planOf(scenario, 'resizeInstance', { input }) };
        }),
      );

      expect(plans).toMatchObject(PLANS.map(([name, , plan]) => ({ name, plan })));
      expect(scenario.mutations()).toEqual([]);
    }));
});
