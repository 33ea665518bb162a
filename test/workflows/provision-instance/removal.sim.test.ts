import { describe, expect, it } from '@jest/globals';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultAction } from '../../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { dataVolumeOf, instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';
const createFails = {
  match: { method: 'POST', path: CREATE_PATH },
  action: { kind: 'task-error', error: 'internal error', leftovers: 'instance' },
} as const;
const DELETE_INSTANCE = { method: 'DELETE', path: /\/instances\// };
const DELETE_VOLUME = { method: 'DELETE', path: /\/volumes\// };
const NO_TASK = { kind: 'status', status: 200, body: { tasks: [] } } as const;

const leftIn = ({ simulator }: Pick<Scenario, 'simulator'>) => {
  const { instances, volumes } = simulator.inventory();
  return [instances.length, volumes.length];
};

describe('a rollback', () => {
  it('looks again when the API accepts a delete without naming a task', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add(createFails);
      simulator.faults.add({ match: { ...DELETE_INSTANCE, times: 2 }, action: NO_TASK });

      const { details } = await failureOfRun(await start('provisionInstance', provisionInput()));

      expect([leftIn({ simulator }), details.resources]).toEqual([[0, 0], []]);
    }));

  it('removes an instance that is not found once, and has no volume of its own', () =>
    inScenario(
      { state: stateWithInstances([{ of: 1, dataVolume: 'available' }]) },
      async ({ start, simulator }) => {
        simulator.faults.add(createFails);
        simulator.faults.add({
          match: { method: 'GET', path: /\/instances\/1\/1\/./ },
          action: { kind: 'status', status: 404 },
        });
        const volume = { source: 'existing-volume', volume_id: dataVolumeOf(1) } as const;
        const input = provisionInput({ volumes: [{ ...volume, boot_index: 0 }] });

        const { details } = await failureOfRun(await start('provisionInstance', input));

        expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceIdOf(1)]);
        expect(details.resources).toEqual([]);
      },
    ));

  it.each<[string, FaultAction, string]>([
    ['refuses every delete', { kind: 'status', status: 409 }, 'refuses to delete it now (409)'],
    [
      'ends every delete in ERROR',
      { kind: 'task-error', error: 'no' },
      'its deletion ended in ERROR: no',
    ],
    ['accepts every delete and does nothing', NO_TASK, 'without naming a task'],
  ])('blocks when the API %s, says why, and goes on after resume', (_, action, cause) =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
      simulator.faults.add(createFails);
      simulator.faults.add({ match: { ...DELETE_INSTANCE, times: Infinity }, action });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'RemovalBlocked');
      const { blocked } = await run.query(statusQuery);

      simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { type, details } = await failureOfRun(run);

      expect(blocked?.message).toContain(cause);
      expect([type, leftIn({ simulator }), details.resources]).toEqual(['TaskFailed', [0, 0], []]);
    }),
  );

  it('ends after abort, and names what it could not remove', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
      simulator.faults.add(createFails);
      const action = { kind: 'status', status: 409 } as const;
      simulator.faults.add({ match: { ...DELETE_VOLUME, times: Infinity }, action });
      simulator.faults.add({ match: { ...DELETE_INSTANCE, times: Infinity }, action });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'RemovalBlocked');

      await run.executeUpdate(abortUpdate, { args: [{}] });
      const { details } = await failureOfRun(run);

      const { instances, volumes } = simulator.inventory();
      const ids = [...instances, ...volumes].map(({ id }) => id);
      expect(details.resources?.map(({ id }) => id)).toEqual(ids);
    }));

  it('ends after abort, and does not name what it has removed', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
      simulator.faults.add({
        ...createFails,
        action: { ...createFails.action, leftovers: 'apart' },
      });
      const action = { kind: 'status', status: 409 } as const;
      simulator.faults.add({ match: { ...DELETE_VOLUME, times: Infinity }, action });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'RemovalBlocked');
      const { steps } = await run.query(statusQuery);

      await run.executeUpdate(abortUpdate, { args: [{}] });
      const { message, details } = await failureOfRun(run);

      const { instances, volumes } = simulator.inventory();
      const left = volumes.map(({ id }) => ({ kind: 'volume', id }));
      expect(instances).toEqual([]);
      expect(left).toHaveLength(1);
      expect(steps[0]?.resources).toEqual(left);
      expect(details.resources).toEqual(left);
      expect(message).not.toContain('instance');
    }));

  it('shows no step as going on that it does not undo', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
      const match = { method: 'GET', path: /\/instances\/1\/1\/./, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 401 } });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'Unauthorized');

      await run.cancel();
      await until('the rollback is blocked too', async () => {
        const { phase, steps } = await run.query(statusQuery);
        return phase === 'blocked' && steps[0]?.state === 'waiting';
      });
      const { steps, acceptsInput } = await run.query(statusQuery);
      simulator.faults.clear();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await endOfRun(run);

      expect(steps[1]).toMatchObject({ name: 'verify instance', state: 'failed' });
      expect(acceptsInput).toBe(false);
      expect(leftIn({ simulator })).toEqual([0, 0]);
    }));
});
