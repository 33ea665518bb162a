import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { until } from '../../support/timing/until.js';
import {
  dataVolumeOf,
  existingIdsOf,
  floatingIpOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';

const ALL = { volumes: 'delete', floatingIps: 'delete' } as const;
const VOLUME = dataVolumeOf(2);
const BUSY = { kind: 'status', status: 409 } as const;
/** The call was certainly not carried out. */
const TURNED_AWAY = { kind: 'status', status: 429, retryAfter: '1' } as const;
const WITH_LOOSE_ADDRESS = stateWithInstances([{ of: 1, floatingIp: 'apart' }]);
const WITH_LOOSE_VOLUME = stateWithInstances([{ of: 1 }, { of: 2, dataVolume: 'available' }]);

describe('deleteInstance deletes the volumes', () => {
  it('that an instance gets while its creation is still running', () =>
    inScenario({}, async ({ start, simulator, api }) => {
      await callByHand(api, `POST ${CREATE_PATH}`, provisionInput().instance);
      const instanceId = simulator.inventory().instances[0]?.id ?? '';
      const path = `/cloud/v1/instances/1/1/${instanceId}`;
      const shown = await callByHand(api, `GET ${path}`);
      expect(shown).toMatchObject({ status: 'BUILD', task_id: expect.any(String) });
      const body = Object.assign({}, shown, { volumes: [] });
      simulator.faults.add({
        match: { method: 'GET', path, times: 1 },
        action: { kind: 'status', status: 200, body },
      });

      const run = await start('deleteInstance', { instanceId, ...ALL });
      const { deleted } = await run.result();

      expect(deleted).toMatchObject({ instance: true, volumes: [expect.any(String)] });
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it.each([1, 2])('that one look does not show: look %d', (nth) =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async ({ start, simulator, api }) => {
      const path = `/cloud/v1/instances/1/1/${instanceIdOf(1)}`;
      const shown = await callByHand(api, `GET ${path}`);
      simulator.faults.add({
        match: { method: 'GET', path, nth },
        action: { kind: 'status', status: 200, body: Object.assign({}, shown, { volumes: [] }) },
      });

      const run = await start('deleteInstance', { instanceId: instanceIdOf(1), ...ALL });
      const { deleted } = await run.result();

      expect(deleted.volumes).toHaveLength(2);
      expect(existingIdsOf(simulator, 1)).toEqual([]);
    }),
  );

  it.each(['delete', 'keep'] as const)(
    'that the instance gets while the API takes no delete, as they are chosen: %s',
    (volumes) =>
      inScenario({ state: WITH_LOOSE_VOLUME }, async ({ start, simulator, api }) => {
        const match = { method: 'DELETE', path: `/cloud/v1/instances/1/1/${instanceIdOf(1)}` };
        simulator.faults.add({ match: { ...match, times: 5 }, action: BUSY });
        const choice = { ...ALL, volumes };
        const run = await start('deleteInstance', { instanceId: instanceIdOf(1), ...choice });
        await until('it waits', async () => {
          const { waiting } = await run.query(statusQuery);
          return waiting?.state === 'busy';
        });

        const attach = `POST /cloud/v2/volumes/1/1/${VOLUME}/attach`;
        await callByHand(api, attach, { instance_id: instanceIdOf(1) });
        const { deleted, kept } = await run.result();

        const isKept = volumes === 'keep';
        expect((isKept ? kept : deleted).volumes).toContain(VOLUME);
        const left = simulator.inventory().volumes.map(({ id }) => id);
        expect(left.includes(VOLUME)).toBe(isKept);
      }),
  );
});

type Taken = 'volume' | 'floating IP';

/** Somebody takes a part away from the instance, and keeps it apart. */
async function takeAway({ api, simulator }: Scenario, taken: Taken): Promise<void> {
  const call =
    taken === 'volume'
      ? `POST /cloud/v2/volumes/1/1/${dataVolumeOf(1)}/detach`
      : `PATCH /cloud/v2/floatingips/1/1/${floatingIpOf(1)}`;
  const body = taken === 'volume' ? { instance_id: instanceIdOf(1) } : { port_id: null };
  await callByHand(api, call, body);
  await until('it is apart', () => {
    const { volumes, floatingIps } = simulator.snapshot();
    const parts = taken === 'volume' ? volumes : floatingIps;
    return parts.some(
      ({ id, instanceId }) =>
        [dataVolumeOf(1), floatingIpOf(1)].includes(id) && instanceId === null,
    );
  });
}

/** A run whose first delete is answered so, and that is paused then. */
async function startHeld(
  { start, simulator }: Scenario,
  action: typeof BUSY | typeof TURNED_AWAY,
  choice: object,
) {
  const match = { method: 'DELETE', times: Infinity };
  simulator.faults.add({ match, action });
  const run = await start('deleteInstance', { instanceId: instanceIdOf(1), ...ALL, ...choice });
  await until('a delete was turned away', () =>
    simulator.requests.some(({ method }) => method === 'DELETE'),
  );
  await run.executeUpdate(pauseUpdate);
  simulator.faults.clear();
  return run;
}

describe('deleteInstance leaves alone', () => {
  it.each([
    ['volume', dataVolumeOf(1), BUSY],
    ['volume', dataVolumeOf(1), TURNED_AWAY],
    ['floating IP', floatingIpOf(1), BUSY],
    ['floating IP', floatingIpOf(1), TURNED_AWAY],
  ] as const)('a %s that somebody takes away before anything is deleted', (taken, id, action) =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const run = await startHeld(scenario, action, {});

      await takeAway(scenario, taken);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { deleted } = await run.result();

      expect(existingIdsOf(scenario.simulator, 1)).toEqual([id]);
      expect([...deleted.volumes, ...deleted.floatingIps]).not.toContain(id);
    }),
  );

  it('all, when somebody takes a part away that is named by its id', () =>
    inScenario({ state: stateWithInstances([{ of: 1 }]) }, async (scenario) => {
      const run = await startHeld(scenario, BUSY, { volumes: [dataVolumeOf(1)] });

      await takeAway(scenario, 'volume');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('is not attached to the instance'),
      });
      expect(existingIdsOf(scenario.simulator, 1)).toHaveLength(4);
    }));
});

describe('a floating IP that the instance gets while the API takes no delete', () => {
  it.each(['delete', 'keep'] as const)('is part of the choice "%s"', (floatingIps) =>
    inScenario({ state: WITH_LOOSE_ADDRESS }, async (scenario) => {
      const { api, simulator } = scenario;
      const id = floatingIpOf(1);
      const run = await startHeld(scenario, BUSY, { floatingIps });

      await callByHand(api, `PATCH /cloud/v2/floatingips/1/1/${id}`, { port_id: portOf(1) });
      await until('it leads to the instance', () =>
        simulator.snapshot().floatingIps.some(({ instanceId }) => instanceId === instanceIdOf(1)),
      );
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { deleted, kept } = await run.result();

      const isKept = floatingIps === 'keep';
      expect((isKept ? kept : deleted).floatingIps).toEqual([id]);
      expect(existingIdsOf(simulator, 1)).toEqual(isKept ? [id] : []);
    }),
  );
});
