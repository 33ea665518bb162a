import { describe, expect, it } from '@jest/globals';

import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import { dataVolumeOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const WANTED = { volumeId: dataVolumeOf(1), name: 'before-upgrade' };
const READ = { method: 'GET', path: /\/snapshots\/1\/1\/./ };
const SENT = ['POST /cloud/v1/snapshots/1/1'];
const BROKEN = {
  id: 'of this answer',
  status: 'error',
  volume_id: WANTED.volumeId,
  created_at: '2026-05-01T12:00:00Z',
};

describe('a thing whose task has finished', () => {
  it.each([
    [1, 'broken', { status: 200, body: BROKEN }],
    [3, 'broken', { status: 200, body: BROKEN }],
    [1, 'missing', { status: 404 }],
    [3, 'missing', { status: 404 }],
  ])('is made although %d of the answers show it as %s', (times, _, answer) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { ...READ, times },
        action: { kind: 'status', ...answer },
      });
      const run = await scenario.start('snapshotVolume', WANTED);

      expect(await run.result()).toMatchObject({ status: 'available', adopted: false });
      expect(scenario.mutations()).toEqual(SENT);
    }),
  );

  it('is broken when it shows so for as long as lists lag', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { ...READ, times: Infinity },
        action: { kind: 'status', status: 200, body: BROKEN },
      });
      const run = await scenario.start('snapshotVolume', { ...WANTED, onFailure: 'keep' });

      const { type, details } = await failureOfRun(run);

      const { snapshots } = scenario.simulator.inventory();
      expect(type).toBe('TaskFailed');
      expect(details.resources).toEqual(snapshots.map(({ id }) => ({ kind: 'snapshot', id })));
    }));

  it('blocks its run while it is not found, which sends no second call', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator, start, mutations } = scenario;
      simulator.faults.add({
        match: { ...READ, times: Infinity },
        action: { kind: 'status', status: 404 },
      });
      const run = await start('snapshotVolume', WANTED);
      await until('the run is blocked', async () => {
        const { blocked } = await run.query(statusQuery);
        return blocked?.type === 'OutcomeUnknown';
      });
      const { steps } = await run.query(statusQuery);

      simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { snapshotId } = await run.result();

      expect(steps[0]?.resources).toEqual([{ kind: 'snapshot', id: snapshotId }]);
      expect(mutations()).toEqual(SENT);
    }));
});
