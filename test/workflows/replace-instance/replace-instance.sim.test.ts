import { describe, expect, it } from '@jest/globals';

import { planOf } from '../../support/runs/plan-of.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { namedByTasks } from '../../support/http/named-by-tasks.js';
import { CREATE_PATH } from '../../support/inputs/provision-input.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import {
  bootVolumeOf,
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  portOf,
  stateWithInstances,
} from '../../support/worlds/instances.js';
import { holderIn } from '../../support/worlds/replaced.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const OLD = instanceIdOf(1);
const MOVE = { method: 'PATCH', path: `/cloud/v2/floatingips/1/1/${floatingIpOf(1)}` };

const holderOf = ({ simulator }: Scenario) => holderIn(simulator.snapshot());

const namesOf = ({ simulator }: Scenario) =>
  simulator
    .inventory()
    .instances.map(({ name }) => name)
    .sort();

describe('replaceInstance', () => {
  it('creates the new instance, moves the address, and deletes the old one with its volumes', () =>
    inScenario({ state: STATE, record: 'instance-replaced' }, async (scenario) => {
      const input = replaceInput({ deleteOld: { volumes: 'delete' } });
      const run = await scenario.start('replaceInstance', input);

      const result = await run.result();

      expect(namesOf(scenario)).toEqual(['web-2', 'web-new']);
      expect(holderOf(scenario)).toBe(result.instanceId);
      expect(result).toMatchObject({
        name: 'web-new',
        address: '203.0.0.2',
        old: { instanceId: OLD, isDeleted: true },
      });
      expect(result.ledger.map(({ name, state }) => `${name}: ${state}`)).toEqual([
        'look at the old instance: verified',
        'create instance: verified',
        'move floating IP: verified',
        'delete old instance: verified',
      ]);
      const volumes = scenario.simulator.inventory().volumes.map(({ id }) => id);
      expect(volumes).not.toContain(bootVolumeOf(1));
      expect(volumes).not.toContain(dataVolumeOf(1));
    }));

  it('keeps another floating IP of the old instance when it deletes that', () => {
    const [first, other] = STATE.floatingIps;
    if (first === undefined || other === undefined) throw new Error('the state has two of them');
    const { portId, instanceId } = first;
    const state = { ...STATE, floatingIps: [first, { ...other, portId, instanceId }] };
    return inScenario({ state }, async (scenario) => {
      const input = replaceInput({ deleteOld: { volumes: 'delete' } });
      const run = await scenario.start('replaceInstance', input);

      expect(await run.result()).toMatchObject({ old: { isDeleted: true } });
      const left = scenario.simulator.inventory().floatingIps.map(({ id }) => id);
      expect(left).toContain(other.id);
    });
  });

  it('keeps the old instance unless its deletion is asked for, and moves nothing else', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('replaceInstance', replaceInput());

      expect(await run.result()).toMatchObject({ old: { isDeleted: false } });
      expect(namesOf(scenario)).toEqual(['web-1', 'web-2', 'web-new']);
      const changes = scenario.mutations().map((call) => call.split(' ')[0]);
      expect(changes).toEqual(['POST', 'PATCH']);
    }));

  it('deletes the new instance when the address cannot be moved, and leaves the old one as it was', () =>
    inScenario({ state: STATE, record: 'replacement-undone' }, async (scenario) => {
      const before = scenario.simulator.inventory();
      scenario.simulator.faults.add({
        match: MOVE,
        action: { kind: 'task-error', error: 'The port is gone' },
      });

      const run = await scenario.start('replaceInstance', replaceInput());

      expect(await failureOfRun(run)).toMatchObject({
        type: 'TaskFailed',
        message: expect.stringContaining('The port is gone'),
        details: { step: 'move floating IP', resources: [] },
      });
      const after = scenario.simulator.inventory();
      expect(after.instances).toEqual(before.instances);
      expect(after.volumes).toEqual(before.volumes);
      expect(holderOf(scenario)).toBe(OLD);
    }));

  it("leaves the caller's own volume alone, however its id is written", () => {
    const volumeId = 'abcdef03-0000-4000-8000-000000000003';
    const seeded = stateWithInstances([{ of: 1 }, { of: 3, dataVolume: 'available' }]);
    const volumes = seeded.volumes.map((row) =>
      row.id === dataVolumeOf(3) ? { ...row, id: volumeId } : row,
    );
    const written = volumeId.toUpperCase();
    // An API that takes ids in capitals, and writes them in lower case.
    const line = async (request: Request) =>
      request.method === 'GET'
        ? fetch(request)
        : fetch(
            new Request(request, {
              body: (await request.text()).replaceAll(written, volumeId),
              duplex: 'half',
            }),
          );
    return inScenario({ state: { ...seeded, volumes }, line }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'drop-response' },
      });
      scenario.simulator.faults.add({
        match: MOVE,
        action: { kind: 'task-error', error: 'The port is gone' },
      });
      const { instance, ...rest } = replaceInput();
      const own = { source: 'existing-volume' as const, volume_id: written, boot_index: 0 };

      const run = await scenario.start('replaceInstance', {
        ...rest,
        instance: { ...instance, volumes: [own] },
      });
      const { details } = await failureOfRun(run);

      expect(details).toMatchObject({ step: 'move floating IP', resources: [] });
      const left = scenario.simulator.inventory().volumes.map(({ id }) => id);
      expect(left).toContain(volumeId);
    });
  });

  it("leaves the caller's own volume alone when the task of the new instance names it", () => {
    const volumeId = dataVolumeOf(3);
    const state = stateWithInstances([{ of: 1 }, { of: 3, dataVolume: 'available' }]);
    return inScenario({ state, line: namedByTasks([volumeId]) }, async (scenario) => {
      scenario.simulator.faults.add({
        match: MOVE,
        action: { kind: 'task-error', error: 'The port is gone' },
      });
      const { instance, ...rest } = replaceInput();
      const volumes = [
        ...instance.volumes,
        { source: 'existing-volume' as const, volume_id: volumeId, boot_index: -1 },
      ];

      const run = await scenario.start('replaceInstance', {
        ...rest,
        instance: { ...instance, volumes },
      });
      const { details } = await failureOfRun(run);

      expect(details).toMatchObject({ step: 'move floating IP', resources: [] });
      expect(scenario.simulator.inventory().volumes.map(({ id }) => id)).toContain(volumeId);
    });
  });

  it('takes the address from nobody but the old instance, in a plan too', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const input = replaceInput({ floatingIpId: floatingIpOf(2) });
      const message = `Floating IP ${floatingIpOf(2)} leads to port ${portOf(2)}, not to instance ${OLD}`;

      expect(await planOf(scenario, 'replaceInstance', { input })).toMatchObject({
        ready: false,
        findings: expect.arrayContaining([
          expect.objectContaining({ path: 'floatingIpId', message }),
        ]),
      });
      const run = await scenario.start('replaceInstance', input);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('plans all calls, and names what cannot be undone', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const input = replaceInput({ deleteOld: { volumes: 'keep' } });

      expect(await planOf(scenario, 'replaceInstance', { input })).toMatchObject({
        operation: 'replaceInstance',
        ready: true,
        irreversible: expect.arrayContaining([`Instance ${OLD} is deleted at the end.`]),
        price: expect.anything(),
      });
      expect(scenario.mutations()).toEqual([]);
    }));
});
