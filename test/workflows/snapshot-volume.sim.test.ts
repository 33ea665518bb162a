import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate } from '../../src/engine/core/messages.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario } from '../simulation/scenario.js';
import { dataVolumeOf, stateWithInstances } from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
STATE.volumes = STATE.volumes.map((row) =>
  row.id === dataVolumeOf(2) ? { ...row, volumeType: 'ssd_lowlatency' } : row,
);
const WANTED = { volumeId: dataVolumeOf(1), name: 'before-upgrade', tags: { team: 'media' } };

describe('snapshotVolume', () => {
  it('takes one snapshot with the tags of the input, and verifies it', () =>
    inScenario({ state: STATE, record: 'snapshot-made' }, async (scenario) => {
      const run = await scenario.start('snapshotVolume', { ...WANTED, description: 'v1' });

      const { ledger, taskIds, snapshotId, ...result } = await run.result();

      const { volumeId, name } = WANTED;
      expect(result).toEqual({ volumeId, name, size: 20, status: 'available', adopted: false });
      const { snapshots } = scenario.simulator.inventory();
      expect(snapshots).toMatchObject([
        { id: snapshotId, description: 'v1', creator_task_id: taskIds[0] },
      ]);
      const tags = snapshots[0]?.tags.map(({ key, value }) => [key, value]);
      expect(tags).toEqual(
        expect.arrayContaining([
          ['team', 'media'],
          ['workflow-request', `default/${run.workflowId}`],
        ]),
      );
      expect(ledger).toMatchObject([{ resources: [{ kind: 'snapshot', id: snapshotId }] }]);
      expect(scenario.mutations()).toEqual(['POST /cloud/v1/snapshots/1/1']);
    }));

  it.each([
    ['a type that the API cannot snapshot', dataVolumeOf(2), /ssd_lowlatency cannot/],
    ['a volume that does not exist', dataVolumeOf(9), /There is no volume/],
  ])('refuses %s, in the plan and before it sends', (_, volumeId, says) =>
    inScenario({ state: STATE }, async (scenario) => {
      const input = { ...WANTED, volumeId };
      const plan = await planOf(scenario, 'snapshotVolume', { input });
      const failed = await failureOfRun(await scenario.start('snapshotVolume', input));

      expect(plan).toMatchObject({
        ready: false,
        findings: [{ path: 'volumeId', message: expect.stringMatching(says) }],
      });
      expect(failed).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringMatching(says),
      });
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it('plans its calls, and explains a region that does not exist', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const plan = await planOf(scenario, 'snapshotVolume', { input: WANTED });
      const lost = await planOf(scenario, 'snapshotVolume', { input: { ...WANTED, regionId: 99 } });

      expect(plan).toMatchObject({ ready: true, adopts: [], findings: [] });
      expect(plan.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /cloud/v1/snapshots/1/1',
        `GET /cloud/v1/volumes/1/1/${WANTED.volumeId}`,
        'POST /cloud/v1/snapshots/1/1',
        'GET /cloud/v1/tasks/{task_id}',
        'GET /cloud/v1/snapshots/1/1/{snapshot_id}',
      ]);
      expect(lost.findings).toMatchObject([{ severity: 'fault', path: 'regionId' }]);
    }));

  it('takes a corrected input during its first look, and does not adopt what the one before has made', () =>
    inScenario({ state: STATE, timeoutMs: 15_000 }, async (scenario) => {
      const { simulator, account } = scenario;
      await (await scenario.start('snapshotVolume', WANTED, 'corrected')).result();
      const gate = createGate();
      const look = { method: 'GET', path: '/cloud/v1/snapshots/1/1' };
      simulator.faults.add({ match: look, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('snapshotVolume', WANTED, 'corrected');
      await until('it looks', () => simulator.inFlight().some(({ path }) => path === look.path));
      await run.executeUpdate(pauseUpdate);

      const input = { ...WANTED, volumeId: dataVolumeOf(2), account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      gate.open();

      // The type of the volume that is meant now takes no snapshots.
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
    }));
});
