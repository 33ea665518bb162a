import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import type { DeleteInstanceInput } from '../../../src/contract/operations/types.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { planOf } from '../../support/runs/plan-of.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  existingIdsOf,
  floatingIpOf,
  idsOf,
  instanceIdOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const MAKER = 'provision-instance/default/order-4711';
const NOWHERE = '99999999-0000-4000-8000-000000000000';
const NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';

type Input = Omit<DeleteInstanceInput, 'account'>;
const ALL: Input = { instanceId: instanceIdOf(1), volumes: 'delete', floatingIps: 'delete' };

describe('deleteInstance by id', () => {
  it('deletes the instance with all its parts, and nothing of another instance', () =>
    inScenario({ state: STATE, record: 'instance-deleted' }, async (scenario) => {
      const run = await scenario.start('deleteInstance', ALL);

      const result = await run.result();

      expect(result).toMatchObject({
        instanceId: instanceIdOf(1),
        name: 'web-1',
        alreadyGone: false,
        deleted: {
          instance: true,
          volumes: [bootVolumeOf(1), dataVolumeOf(1)],
          floatingIps: [floatingIpOf(1)],
        },
        kept: { volumes: [], floatingIps: [] },
        taskIds: [expect.any(String), expect.any(String)],
      });
      expect(existingIdsOf(scenario.simulator, 1)).toEqual([]);
      expect(existingIdsOf(scenario.simulator, 2)).toEqual(idsOf(2));
      const { steps, phase } = await run.query(statusQuery);
      expect(phase).toBe('succeeded');
      expect(steps.map(({ state }) => state)).toEqual(Array(4).fill('verified'));
      expect(steps.flatMap(({ resources }) => resources)).toEqual([]);
    }));

  it('keeps all volumes and floating IPs when the choices say so', () =>
    inScenario({ state: STATE }, async ({ start, simulator, mutations }) => {
      const run = await start('deleteInstance', { ...ALL, volumes: 'keep', floatingIps: 'keep' });

      const result = await run.result();

      const kept = { volumes: [bootVolumeOf(1), dataVolumeOf(1)], floatingIps: [floatingIpOf(1)] };
      expect(result).toMatchObject({
        deleted: { instance: true, volumes: [], floatingIps: [] },
        kept,
      });
      expect(existingIdsOf(simulator, 1)).toEqual([...kept.volumes, ...kept.floatingIps]);
      expect(mutations()).toEqual([`DELETE /cloud/v1/instances/1/1/${instanceIdOf(1)}`]);
    }));

  it('deletes nothing while a named floating IP leads to the instance, in a plan neither', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const keep = { ...ALL, volumes: 'keep', floatingIps: 'keep' } as const;
      const guarded = { ...keep, unlessFloatingIpId: floatingIpOf(1).toUpperCase() };
      const fault = { path: 'unlessFloatingIpId', message: expect.stringContaining('leads to') };

      const { ready, findings } = await planOf(scenario, 'deleteInstance', { input: guarded });
      const run = await scenario.start('deleteInstance', guarded);
      const { type, details } = await failureOfRun(run);
      const ofOther = { ...keep, unlessFloatingIpId: floatingIpOf(2) };
      const other = await scenario.start('deleteInstance', ofOther);

      expect(ready).toBe(false);
      expect(findings).toContainEqual(expect.objectContaining(fault));
      expect({ type, faults: details.faults }).toEqual({ type: 'InvalidRequest', faults: [fault] });
      expect(await other.result()).toMatchObject({ deleted: { instance: true } });
      expect(scenario.mutations()).toHaveLength(1);
    }));

  it('deletes no instance because one answer lacks where the named floating IP leads', () =>
    inScenario({ state: STATE }, async ({ start, simulator, mutations }) => {
      const [address] = simulator
        .inventory()
        .floatingIps.filter(({ id }) => id === floatingIpOf(1));
      const body = { ...address, port_id: null, instance: null, fixed_ip_address: null };
      simulator.faults.add({
        match: { method: 'GET', path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}` },
        action: { kind: 'status', status: 200, body },
      });
      const guarded = { ...ALL, floatingIps: 'keep', unlessFloatingIpId: floatingIpOf(1) } as const;
      const run = await start('deleteInstance', guarded);

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('leads to'),
      });
      expect(mutations()).toEqual([]);
    }));

  it('deletes no volume of which there is a snapshot, where the input asks for that, in a plan neither', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { api, simulator } = scenario;
      const volumeId = dataVolumeOf(1);
      await callByHand(api, 'POST /cloud/v1/snapshots/1/1', { name: 'mine', volume_id: volumeId });
      await until('it is taken', () => simulator.inventory().snapshots[0]?.status === 'available');
      const guarded = { ...ALL, unlessSnapshots: true, onBlocked: 'fail' } as const;

      const { ready, findings } = await planOf(scenario, 'deleteInstance', { input: guarded });
      const run = await scenario.start('deleteInstance', guarded);

      expect(ready).toBe(false);
      expect(findings).toContainEqual(expect.objectContaining({ path: 'unlessSnapshots' }));
      expect(await failureOfRun(run)).toMatchObject({
        type: 'RemovalBlocked',
        message: expect.stringContaining('has taken the snapshot'),
        details: { resources: [{ kind: 'volume', id: volumeId }, { kind: 'floating-ip' }] },
      });
      expect(simulator.inventory().snapshots).toHaveLength(1);
      expect(existingIdsOf(simulator, 1)).toEqual([volumeId, floatingIpOf(1)]);
    }));

  it('deletes the named volume and keeps the other', () =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      const choice = { volumes: [bootVolumeOf(1), NOWHERE], floatingIps: [floatingIpOf(1)] };
      const run = await start('deleteInstance', { ...ALL, ...choice });

      const result = await run.result();

      expect(result.deleted.volumes).toEqual([bootVolumeOf(1)]);
      expect(result.kept).toEqual({ volumes: [dataVolumeOf(1)], floatingIps: [] });
      expect(existingIdsOf(simulator, 1)).toEqual([dataVolumeOf(1)]);
    }));

  it('succeeds and sends no deletion when the instance is gone already', () =>
    inScenario({ state: STATE, record: 'already-gone' }, async ({ start, mutations }) => {
      const run = await start('deleteInstance', { ...ALL, instanceId: NOWHERE });

      expect(await run.result()).toMatchObject({
        instanceId: NOWHERE,
        name: null,
        alreadyGone: true,
        taskIds: [],
        deleted: { instance: false, volumes: [], floatingIps: [] },
      });
      expect(mutations()).toEqual([]);
    }));

  it('deletes the named parts of an instance that is gone already', () =>
    inScenario({ state: STATE }, async ({ start, simulator }) => {
      const keep = { ...ALL, volumes: 'keep', floatingIps: 'keep' } as const;
      await (await start('deleteInstance', keep)).result();
      const named = { volumes: [dataVolumeOf(1)], floatingIps: [floatingIpOf(1)] };

      const result = await (await start('deleteInstance', { ...ALL, ...named })).result();

      expect(result).toMatchObject({ alreadyGone: true, deleted: named });
      expect(existingIdsOf(simulator, 1)).toEqual([bootVolumeOf(1)]);
    }));
});

describe('deleteInstance by request', () => {
  const BY_REQUEST: Input = { madeBy: MAKER, volumes: 'delete', floatingIps: 'delete' };

  it('deletes everything that the request created', () =>
    inScenario({}, async ({ start, simulator }) => {
      const interfaces = [
        {
          type: 'any_subnet' as const,
          network_id: NETWORK,
          floating_ip: { source: 'new' as const },
        },
      ];
      const maker = await start('provisionInstance', provisionInput({ interfaces }), MAKER);
      const { instanceId } = await maker.result();

      const result = await (await start('deleteInstance', BY_REQUEST)).result();

      expect(result).toMatchObject({
        instanceId,
        alreadyGone: false,
        deleted: {
          instance: true,
          volumes: [expect.any(String)],
          floatingIps: [expect.any(String)],
        },
      });
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [], floatingIps: [] });
    }));

  it('deletes the volumes of the request when its instance is gone already', () => {
    const madeBy = `${MAKER}-gone`;
    const { instances, floatingIps, volumes, ...rest } = stateWithInstances([
      { of: 1, marker: `default/${madeBy}` },
      { of: 2, marker: 'default/another' },
    ]);
    const free = volumes.map((volume) => ({
      ...volume,
      ...(volume.instanceId === instanceIdOf(1) && {
        instanceId: null,
        status: 'available' as const,
      }),
    }));
    const state = {
      ...rest,
      volumes: free,
      floatingIps,
      instances: instances.filter(({ id }) => id !== instanceIdOf(1)),
    };
    return inScenario({ state }, async ({ start, simulator }) => {
      const run = await start('deleteInstance', { ...BY_REQUEST, madeBy });

      const result = await run.result();

      expect(result).toMatchObject({
        instanceId: null,
        name: null,
        alreadyGone: true,
        deleted: { instance: false, floatingIps: [] },
      });
      expect([...result.deleted.volumes].sort()).toEqual([bootVolumeOf(1), dataVolumeOf(1)]);
      expect(existingIdsOf(simulator, 2)).toEqual(idsOf(2));
    });
  });

  it('leaves alone what another Temporal namespace of the same name made', () => {
    const maker = '6f1b2c3d-0000-4000-8000-000000000000/6f1b2c3d-0000-4000-8000-000000000001';
    const madeBy = `${MAKER}-elsewhere`;
    const state = stateWithInstances([{ of: 1, marker: `default/${madeBy}`, maker }]);
    return inScenario({ state }, async ({ start, simulator, mutations }) => {
      const run = await start('deleteInstance', { ...BY_REQUEST, madeBy });
      const { type, details } = await failureOfRun(run);

      expect(type).toBe('InvalidRequest');
      expect(details).toMatchObject({ faults: [{ path: 'madeBy' }] });
      expect(mutations()).toEqual([]);
      expect(existingIdsOf(simulator, 1)).toEqual(idsOf(1));
    });
  });

  it('succeeds when somebody else has deleted what the request made', () =>
    inScenario({}, async ({ start, mutations }) => {
      const maker = await start('provisionInstance', provisionInput(), MAKER);
      const { instanceId } = await maker.result();
      const other = { instanceId, volumes: 'delete', floatingIps: 'delete' } as const;
      await (await start('deleteInstance', other)).result();
      const before = mutations();

      const result = await (await start('deleteInstance', BY_REQUEST)).result();

      expect(result).toMatchObject({ instanceId: null, alreadyGone: true });
      expect(mutations()).toEqual(before);
    }));

  it('never calls gone what the request has made elsewhere, and says where', () =>
    inScenario({}, async ({ start, simulator }) => {
      await (await start('provisionInstance', provisionInput({}, { regionId: 2 }), MAKER)).result();

      const run = await start('deleteInstance', BY_REQUEST);

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidInput',
        details: {
          faults: [{ path: 'madeBy', message: expect.stringContaining('project 1, region 2') }],
        },
      });
      expect(simulator.inventory().instances).toHaveLength(1);
      const there = await start('deleteInstance', { ...BY_REQUEST, regionId: 2 });
      await there.result();
      expect(simulator.inventory().instances).toEqual([]);
    }));

  it('never calls what nobody has made gone', () =>
    inScenario({}, async ({ start, simulator }) => {
      await (await start('provisionInstance', provisionInput(), MAKER)).result();

      const run = await start('deleteInstance', { ...BY_REQUEST, madeBy: `${MAKER}x` });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        details: { faults: [{ path: 'madeBy', message: expect.stringContaining('no run') }] },
      });
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it.each([
    ['another operation', 'createVolume', /makes no instance/],
    ['a batch', 'runBatch', /one of its items/],
  ] as const)('refuses a run of %s', (_, operation, says) =>
    inScenario({}, async ({ start }) => {
      const volume = { source: 'new-volume', name: 'data', size: 5 } as const;
      const maker =
        operation === 'runBatch'
          ? await start(operation, { operation: 'createVolume', items: [volume] })
          : await start(operation, volume);
      await maker.result();

      const run = await start('deleteInstance', { ...BY_REQUEST, madeBy: maker.workflowId });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidInput',
        details: { faults: [{ path: 'madeBy', message: expect.stringMatching(says) }] },
      });
    }),
  );

  it('finds an instance that lists show late', () =>
    inScenario({ policy: { reconcileGraceMs: 1_500 } }, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: '/cloud/v2/instances/1/1' },
        action: { kind: 'list-lag', ms: 1_000 },
      });
      const maker = await start('provisionInstance', provisionInput(), MAKER);
      await maker.result();

      const result = await (await start('deleteInstance', BY_REQUEST)).result();

      expect(result.alreadyGone).toBe(false);
      expect(simulator.inventory().instances).toEqual([]);
    }));
});
