import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { correctRun } from '../../support/runs/correct-run.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import {
  dataVolumeOf,
  instanceIdOf,
  snapshotOf,
  snapshotsOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

/** A correction that the run has taken means another thing, and no look and no check at the one before counts for it. */
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const WANTED = { instanceId: instanceIdOf(1), flavor: 'g2-standard-4-8' };
const instance = (of: number) => `/cloud/v1/instances/1/1/${instanceIdOf(of)}`;
const resizes = (of: number) => `POST ${instance(of)}/changeflavor`;
const LOCKED = { kind: 'status', status: 409, body: { message: 'locked by task 47' } } as const;

const flavorsOf = ({ simulator }: Scenario) =>
  simulator.inventory().instances.map(({ flavor }) => flavor.flavor_id);

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

describe('a change that is corrected while it waits for its turn', () => {
  it('takes the turn of the thing that is meant now, and changes that', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const held = hold(scenario, 'POST', `${instance(1)}/changeflavor`);
      const first = await scenario.start('resizeInstance', WANTED);
      await held.isAsked();
      const corrected = { instanceId: instanceIdOf(2), flavor: 'g2-standard-8-16' };
      const second = await scenario.start('resizeInstance', {
        ...WANTED,
        flavor: corrected.flavor,
      });
      await until('it waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.holder !== undefined;
      });
      await correctRun(scenario, second, corrected);
      held.open();

      expect(await second.result()).toMatchObject(corrected);
      await first.result();
      expect(flavorsOf(scenario)).toEqual([WANTED.flavor, corrected.flavor]);
      expect(scenario.mutations()).toEqual([resizes(1), resizes(2)]);
    }));

  it('does not succeed because the thing before is as it should be', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const volumeId = dataVolumeOf(1);
      const held = hold(scenario, 'POST', `/cloud/v1/volumes/1/1/${volumeId}/extend`);
      const first = await scenario.start('extendVolume', { volumeId, size: 100 });
      await held.isAsked();
      const run = await scenario.start('attachVolume', { volumeId, instanceId: instanceIdOf(1) });
      await until('it waits', async () => {
        const { waiting } = await run.query(statusQuery);
        return waiting?.holder !== undefined;
      });
      await correctRun(scenario, run, { volumeId, instanceId: instanceIdOf(2) });
      held.open();
      await first.result();

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining(`attached to instance ${instanceIdOf(1)}`),
      });
    }));
});

describe('a change that is corrected between two tries', () => {
  it('checks what is meant now before it sends', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const match = { method: 'POST', path: `${instance(1)}/changeflavor`, times: Infinity };
      scenario.simulator.faults.add({ match, action: LOCKED });
      const run = await scenario.start('resizeInstance', WANTED);
      await until('it has tried', () => scenario.mutations().length >= 3);
      await correctRun(scenario, run, { instanceId: instanceIdOf(2), flavor: 'g2-standard-4-9' });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('g2-standard-4-9'),
      });
      expect(scenario.mutations()).not.toContain(resizes(2));
    }));

  it('reverts no volume to a snapshot that it has not', () =>
    inScenario({ state: revertible() }, async (scenario) => {
      const revert = (of: number) => `/cloud/v1/volumes/1/1/${dataVolumeOf(of)}/revert`;
      const match = { method: 'POST', path: revert(1), times: Infinity };
      scenario.simulator.faults.add({ match, action: LOCKED });
      const snapshotId = snapshotOf(1);
      const run = await scenario.start('revertVolume', { volumeId: dataVolumeOf(1), snapshotId });
      await until('it has tried', () => scenario.mutations().length >= 3);
      await correctRun(scenario, run, { volumeId: dataVolumeOf(2), snapshotId });

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).not.toContain(`POST ${revert(2)}`);
    }));

  it('checks it also when a read of the later try was blocked', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { faults } = scenario.simulator;
      faults.add({
        match: { method: 'POST', path: `${instance(1)}/changeflavor` },
        action: LOCKED,
      });
      const second = { method: 'GET', path: instance(1), nth: 2 };
      faults.add({ match: second, action: { kind: 'status', status: 401 } });
      const run = await scenario.start('resizeInstance', WANTED);
      await untilBlocked(run, 'Unauthorized');

      const { account } = scenario;
      const input = { instanceId: instanceIdOf(2), flavor: 'g2-standard-4-9', account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('g2-standard-4-9'),
      });
      expect(scenario.mutations()).toEqual([resizes(1)]);
    }));
});

function revertible() {
  const volumes = [1, 2].map((of) => ({ of, dataVolume: 'available' as const }));
  return { ...stateWithInstances(volumes), ...snapshotsOf([{ of: 1 }, { of: 2 }]) };
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
