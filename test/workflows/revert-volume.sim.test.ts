import { describe, expect, it } from '@jest/globals';

import { resumeUpdate } from '../../src/engine/core/messages.js';
import type { FaultAction } from '../../src/simulator/index.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import {
  dataVolumeOf,
  snapshotOf,
  snapshotsOf,
  stateWithInstances,
} from '../support/worlds/instances.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { mostActions } from '../support/worlds/marked.js';

const ROWS = [{ of: 1, dataVolume: 'available' } as const, { of: 2 }];
const STATE = { ...stateWithInstances(ROWS), ...snapshotsOf(ROWS) };
const WANTED = { volumeId: dataVolumeOf(1), snapshotId: snapshotOf(1) };
const REVERT = { method: 'POST', path: `/cloud/v1/volumes/1/1/${WANTED.volumeId}/revert` };

const takeSnapshot = ({ api }: Scenario) =>
  callByHand(api, 'POST /cloud/v1/snapshots/1/1', { name: 'another', volume_id: WANTED.volumeId });

describe('revertVolume', () => {
  it('reverts the volume once, and succeeds when its task has finished', () =>
    inScenario({ state: STATE, record: 'volume-reverted' }, async (scenario) => {
      const run = await scenario.start('revertVolume', WANTED);

      const { ledger, taskIds, ...result } = await run.result();

      expect(result).toEqual({ ...WANTED, status: 'available' });
      expect(scenario.simulator.inventory().tasks).toMatchObject([
        { id: taskIds[0], task_type: 'revert_volume', state: 'FINISHED' },
      ]);
      expect(ledger).toMatchObject([{ name: 'revert volume', state: 'verified' }]);
      expect(scenario.mutations()).toEqual([`${REVERT.method} ${REVERT.path}`]);
    }));

  it.each([
    ['the answer is lost', { kind: 'drop-response' }],
    ['the request is lost', { kind: 'drop-request' }],
  ] satisfies [string, FaultAction][])('reverts once when %s', (_, action) =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...REVERT, times: 1 }, action });
      const run = await scenario.start('revertVolume', WANTED);

      expect(await run.result()).toMatchObject({ status: 'available' });
      expect(mostActions(scenario.simulator.snapshot())).toBe(1);
    }),
  );

  it('reverts once when a person resumes it, and its task is missing in one more list', () =>
    inScenario({ state: STATE, policy: { reconcileGraceMs: 1_000 } }, async (scenario) => {
      const { simulator, start } = scenario;
      const lists = { method: 'GET', path: '/cloud/v1/tasks' };
      const noTasks = { kind: 'status', status: 200, body: { count: 0, results: [] } } as const;
      simulator.faults.add({ match: { ...lists, times: Infinity }, action: noTasks });
      const run = await start('revertVolume', WANTED);
      await untilBlocked(run, 'OutcomeUnknown');

      simulator.faults.clear();
      simulator.faults.add({ match: { ...lists, times: 1 }, action: noTasks });
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await run.result()).toMatchObject({ status: 'available' });
      expect(mostActions(simulator.snapshot())).toBe(1);
    }));

  it('refuses when somebody takes another snapshot while the API turns its call away', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { simulator } = scenario;
      simulator.faults.add({
        match: { ...REVERT, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await scenario.start('revertVolume', WANTED);
      await until('it was turned away', () =>
        simulator.requests.some(({ method, path }) => method === 'POST' && path === REVERT.path),
      );
      await takeSnapshot(scenario);
      simulator.faults.clear();

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(failed.message).toContain('The last snapshot of the volume is');
      expect(mostActions(simulator.snapshot())).toBe(0);
    }));

  const withNewer = (status: 'error' | 'creating') => ({
    ...STATE,
    snapshots: [
      ...STATE.snapshots,
      ...STATE.snapshots.slice(0, 1).map((row) => {
        return { ...row, id: snapshotOf(9), status, createdAt: row.createdAt + 60_000 };
      }),
    ],
  });

  it('reverts to the last one that has not failed', () =>
    inScenario({ state: withNewer('error') }, async (scenario) => {
      const run = await scenario.start('revertVolume', WANTED);

      expect(await run.result()).toMatchObject({ status: 'available' });
      expect(scenario.simulator.snapshot().tasks).toMatchObject([
        { data: { snapshot_id: WANTED.snapshotId } },
      ]);
    }));

  it.each([
    ['one that has failed', 'error', `${snapshotOf(1)}, available`],
    ['one that is not ready', 'creating', 'is creating, not available'],
  ] as const)('refuses to revert to %s, and says what it saw', (_, status, says) =>
    inScenario({ state: withNewer(status) }, async (scenario) => {
      const run = await scenario.start('revertVolume', { ...WANTED, snapshotId: snapshotOf(9) });

      expect((await failureOfRun(run)).message).toContain(says);
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it('does not revert to an older one while a newer one is being made', () =>
    inScenario({ state: withNewer('creating') }, async (scenario) => {
      const run = await scenario.start('revertVolume', WANTED);

      expect((await failureOfRun(run)).message).toContain(`${snapshotOf(9)}, creating`);
      expect(scenario.mutations()).toEqual([]);
    }));

  it.each([
    ['a volume that an instance has', { volumeId: dataVolumeOf(2), snapshotId: snapshotOf(2) }],
    ['a volume without this snapshot', { ...WANTED, snapshotId: snapshotOf(2) }],
  ])('refuses %s', (_, input) =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('revertVolume', input);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }),
  );
});
