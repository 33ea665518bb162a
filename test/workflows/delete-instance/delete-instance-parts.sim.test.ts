import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { until } from '../../support/timing/until.js';
import { dataVolumeOf, instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const ALL = { volumes: 'delete', floatingIps: 'delete' } as const;
const VOLUME = dataVolumeOf(2);
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

  it.each(['delete', 'keep'] as const)(
    'that the instance gets while the API takes no delete, as they are chosen: %s',
    (volumes) =>
      inScenario({ state: WITH_LOOSE_VOLUME }, async ({ start, simulator, api }) => {
        const match = { method: 'DELETE', path: `/cloud/v1/instances/1/1/${instanceIdOf(1)}` };
        const busy = { kind: 'status', status: 409 } as const;
        simulator.faults.add({ match: { ...match, times: 5 }, action: busy });
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
