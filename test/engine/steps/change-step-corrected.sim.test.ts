import { describe, expect, it } from '@jest/globals';

import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

/** A correction that the run has taken means another thing, and no look and no check at the one before counts for it. */
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };
const instance = (of: number) => `/cloud/v1/instances/1/1/${instanceIdOf(of)}`;
const resizes = (of: number) => `POST ${instance(of)}/changeflavor`;

/** Holds the first call of this path until the gate opens. */
function hold({ simulator }: Scenario, method: string, path: string) {
  const gate = createGate();
  simulator.faults.add({ match: { method, path }, action: { kind: 'delay', until: gate.opened } });
  return {
    open: gate.open,
    isAsked: () =>
      until('it is asked', () => simulator.inFlight().some((one) => one.path === path)),
  };
}

describe('a change that is corrected during a look', () => {
  it('does not fail because the thing before does not exist', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const held = hold(scenario, 'GET', instance(9));
      const run = await scenario.start('resizeInstance', {
        ...WANTED,
        instanceId: instanceIdOf(9),
      });
      await held.isAsked();
      await correctRun(scenario, run, WANTED);
      held.open();

      expect(await run.result()).toMatchObject(WANTED);
      expect(scenario.mutations()).toEqual([resizes(1)]);
    }));

  it('does not fail by a check of the input before', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const held = hold(scenario, 'GET', '/cloud/v1/flavors/1/1');
      const run = await scenario.start('resizeInstance', { ...WANTED, flavor: 'g2-standard-4-9' });
      await held.isAsked();
      await correctRun(scenario, run, WANTED);
      held.open();

      expect(await run.result()).toMatchObject(WANTED);
      expect(scenario.mutations()).toEqual([resizes(1)]);
    }));
});
