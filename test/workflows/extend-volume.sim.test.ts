import { describe, expect, it } from '@jest/globals';

import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario } from '../simulation/scenario.js';
import { dataVolumeOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
STATE.volumes = STATE.volumes.map((row) =>
  row.id === dataVolumeOf(2) ? { ...row, volumeType: 'ssd_lowlatency' } : row,
);
const WANTED = { volumeId: dataVolumeOf(1), size: 40 };

describe('extendVolume', () => {
  it('makes the volume larger with one call, and verifies it', () =>
    inScenario({ state: STATE, record: 'volume-extended' }, async (scenario) => {
      const run = await scenario.start('extendVolume', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({ volumeId: WANTED.volumeId, before: 20, size: 40, status: 'in-use' });
      expect(taskIds).toHaveLength(1);
      expect(ledger).toMatchObject([{ name: 'extend volume', note: '20 → 40 GiB' }]);
      expect(scenario.mutations()).toEqual([
        `POST /cloud/v1/volumes/1/1/${WANTED.volumeId}/extend`,
      ]);
    }));

  it('sends nothing for a volume that is larger already', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('extendVolume', { ...WANTED, size: 10 });

      expect(await run.result()).toMatchObject({ before: 20, size: 20, taskIds: [] });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('refuses a volume that cannot grow', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('extendVolume', { ...WANTED, volumeId: dataVolumeOf(2) });

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(failed.message).toContain('ssd_lowlatency cannot be extended');
      expect(scenario.mutations()).toEqual([]);
    }));
});

const PLANS = [
  ['a change', {}, { ready: true, irreversible: [expect.stringContaining('never shrinks')] }],
  ['nothing to do', { size: 20 }, { findings: [{ severity: 'warning' }] }],
  ['a type that cannot grow', { volumeId: dataVolumeOf(2) }, { findings: [{ path: 'volumeId' }] }],
  ['no volume', { volumeId: dataVolumeOf(9) }, { findings: [{ path: 'volumeId' }] }],
  ['no region', { regionId: 99 }, { findings: [{ path: 'regionId' }] }],
] as const;

describe('the plan of extendVolume', () => {
  it('tells of a change, and of each reason against it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const plans = await Promise.all(
        PLANS.map(async ([name, change]) => {
          const input = { ...WANTED, ...change };
          return { name, plan: await planOf(scenario, 'extendVolume', { input }) };
        }),
      );

      expect(plans).toMatchObject(PLANS.map(([name, , plan]) => ({ name, plan })));
      expect(scenario.mutations()).toEqual([]);
    }));
});
