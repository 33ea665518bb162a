import { describe, expect, it } from '@jest/globals';

import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { dataVolumeOf, instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1, dataVolume: 'available' }, { of: 2 }]);
const WANTED = { volumeId: dataVolumeOf(1), instanceId: instanceIdOf(2) };

const holderOf = ({ simulator }: Scenario, volumeId: string) =>
  simulator.inventory().volumes.find(({ id }) => id === volumeId)?.attachments[0]?.server_id;

describe('attachVolume', () => {
  it('attaches the volume with one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'volume-attached' }, async (scenario) => {
      const run = await scenario.start('attachVolume', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({ ...WANTED, status: 'in-use' });
      expect(taskIds).toHaveLength(1);
      expect(ledger).toMatchObject([
        { name: 'attach volume', note: `attached to instance ${WANTED.instanceId}` },
      ]);
      expect(holderOf(scenario, WANTED.volumeId)).toBe(WANTED.instanceId);
      expect(scenario.mutations()).toEqual([
        `POST /cloud/v2/volumes/1/1/${WANTED.volumeId}/attach`,
      ]);
    }));

  it('sends nothing when the instance has it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const there = { volumeId: dataVolumeOf(2), instanceId: instanceIdOf(2) };
      const run = await scenario.start('attachVolume', there);

      expect(await run.result()).toMatchObject({ ...there, taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it.each([
    ['a volume of another instance', { volumeId: dataVolumeOf(2), instanceId: instanceIdOf(1) }],
    ['an instance that does not exist', { ...WANTED, instanceId: instanceIdOf(9) }],
  ])('refuses %s', (_, input) =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('attachVolume', input);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it('gives the volume to one of two instances that want it at the same time', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const runs = await Promise.all(
        [1, 2].map((of) =>
          scenario.start('attachVolume', { ...WANTED, instanceId: instanceIdOf(of) }),
        ),
      );

      const ends = await Promise.allSettled(runs.map((run) => run.result()));

      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(scenario.mutations()).toHaveLength(1);
    }));
});
