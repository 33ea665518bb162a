import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { NETWORK } from '../../support/inputs/bad-inputs.js';
import { namedByTasks } from '../../support/http/named-by-tasks.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
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
const PLAIN_VOLUMES = provisionInput().instance.volumes;
const createCall = { method: 'POST', path: CREATE_PATH };

/** A run that succeeded; then somebody deleted its instance by hand. Returns the volume that was kept. */
async function keptVolume({ start, simulator, api }: Scenario, workflowId: string) {
  const { instanceId } = await (
    await start('provisionInstance', provisionInput(), workflowId)
  ).result();
  await callByHand(api, `DELETE /cloud/v1/instances/1/1/${instanceId}`);
  await until('the instance is gone', () => simulator.inventory().instances.length === 0);
  const [volume] = simulator.inventory().volumes;
  if (volume === undefined) throw new Error('the volume is gone too');
  return volume.id;
}

const volumesOf = ({ simulator }: Scenario) => simulator.inventory().volumes.map(({ id }) => id);

/** A volume says that it has no snapshot, whether it has one or not; the list of snapshots tells. */
async function withoutSnapshotIds(request: Request): Promise<Response> {
  const response = await fetch(request);
  const text = (await response.text()).replaceAll(
    /"snapshot_ids":\[[^\]]*\]/g,
    '"snapshot_ids":[]',
  );
  const headers = { 'content-type': 'application/json' };
  return new Response(text, { status: response.status, headers });
}

describe('a volume of which somebody has taken a snapshot', () => {
  it.each([
    ['attached', { isLeft: false, isBound: false }],
    ['left by its instance', { isLeft: true, isBound: false }],
    ['bound to its instance', { isLeft: false, isBound: true }],
    [
      'attached, and its own answers lack it',
      { isLeft: false, isBound: false, line: withoutSnapshotIds },
    ],
    [
      'bound, and its own answers lack it',
      { isLeft: false, isBound: true, line: withoutSnapshotIds },
    ],
  ])('stays with it when the run is undone: %s', (_, { isLeft, isBound, ...world }) =>
    inScenario(world, async (scenario) => {
      const { api, simulator } = scenario;
      const volumes = PLAIN_VOLUMES.map((one) => ({ ...one, delete_on_termination: isBound }));
      const run = await scenario.start('provisionInstance', provisionInput({ volumes }));
      await until('the call is made', () => scenario.mutations().length > 0);
      await run.executeUpdate(pauseUpdate);
      await until(
        'the instance is up',
        () => simulator.inventory().instances[0]?.status === 'ACTIVE',
      );
      const [volume] = simulator.inventory().volumes;
      const taken = { name: 'before', volume_id: volume?.id };
      await callByHand(api, 'POST /cloud/v1/snapshots/1/1', taken);
      await until('it is taken', () => simulator.inventory().snapshots[0]?.status === 'available');
      if (isLeft) {
        const id = simulator.inventory().instances[0]?.id ?? '';
        await callByHand(api, `DELETE /cloud/v1/instances/1/1/${id}`);
        await until('the instance is gone', () => simulator.inventory().instances.length === 0);
      }
      await run.cancel();
      await untilBlocked(run, 'RemovalBlocked');

      expect((await run.query(statusQuery)).blocked?.message).toContain('has taken the snapshot');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);
      expect(simulator.inventory().instances).toHaveLength(isBound ? 1 : 0);
      expect(simulator.inventory().snapshots).toHaveLength(1);
      expect(volumesOf(scenario)).toEqual([volume?.id]);
    }),
  );
});

describe("the caller's own floating IP", () => {
  it('stays when the task of the instance names it, and the run is undone', () => {
    const floatingIpId = floatingIpOf(1);
    const state = stateWithInstances([{ of: 1, floatingIp: 'apart' }]);
    const options = { state, line: namedByTasks([], [floatingIpId]), namesLeftovers: true };
    return inScenario(options, async (scenario) => {
      scenario.simulator.faults.add({
        match: createCall,
        action: { kind: 'task-error', error: 'internal error', leftovers: 'instance' },
      });
      const item = {
        type: 'any_subnet' as const,
        network_id: NETWORK,
        floating_ip: { source: 'existing' as const, existing_floating_id: floatingIpId },
      };

      const run = await scenario.start('provisionInstance', provisionInput({ interfaces: [item] }));

      expect((await failureOfRun(run)).details.resources).toEqual([]);
      expect(scenario.simulator.inventory().floatingIps).toHaveLength(1);
    });
  });
});

describe('a repeat of a request whose earlier run succeeded', () => {
  it('leaves the volume of that run alone when its own create fails', () =>
    inScenario({}, async (scenario) => {
      const volume = await keptVolume(scenario, 'repeat-fails');
      const action = { kind: 'task-error', error: 'internal error', leftovers: 'volume' } as const;
      scenario.simulator.faults.add({ match: createCall, action });

      const run = await scenario.start('provisionInstance', provisionInput(), 'repeat-fails');
      const { details } = await failureOfRun(run);

      expect([volumesOf(scenario), details.resources]).toEqual([[volume], []]);
    }));

  it('leaves it alone when it is passed back as an existing volume', () =>
    inScenario({}, async (scenario) => {
      const volume = await keptVolume(scenario, 'repeat-attaches');
      const action = {
        kind: 'task-error',
        error: 'internal error',
        leftovers: 'instance',
      } as const;
      scenario.simulator.faults.add({ match: createCall, action });
      const volumes = [{ source: 'existing-volume' as const, volume_id: volume, boot_index: 0 }];

      const run = await scenario.start(
        'provisionInstance',
        provisionInput({ volumes }),
        'repeat-attaches',
      );
      await failureOfRun(run);

      expect(volumesOf(scenario)).toEqual([volume]);
      expect(scenario.simulator.inventory().instances).toEqual([]);
    }));

  it('leaves it alone when it is cancelled while its call is in doubt', () =>
    inScenario({}, async (scenario) => {
      const volume = await keptVolume(scenario, 'repeat-cancelled');
      scenario.simulator.faults.add({ match: createCall, action: { kind: 'drop-response' } });
      scenario.simulator.faults.add({ match: createCall, action: { kind: 'list-lag', ms: 300 } });

      const run = await scenario.start('provisionInstance', provisionInput(), 'repeat-cancelled');
      await until(
        'its call has been made',
        () => scenario.simulator.inventory().instances.length === 1,
      );
      await run.cancel();
      await endOfRun(run);

      expect(volumesOf(scenario)).toEqual([volume]);
    }));
});

/** A successful run of this Workflow Id, whose instance has broken since. */
async function breakSuccess({ start, simulator }: Scenario, workflowId: string) {
  await (await start('provisionInstance', provisionInput(), workflowId)).result();
  const state = simulator.snapshot();
  const instances = state.instances.map((row) => ({ ...row, status: 'ERROR' as const }));
  simulator.restore({ ...state, instances });
  return state;
}

describe('a broken instance of an earlier success', () => {
  it('blocks the repeat and stays, also when the repeat is aborted', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      const state = await breakSuccess(scenario, 'broken-and-aborted');
      const before = mutations();
      const run = await start('provisionInstance', provisionInput(), 'broken-and-aborted');
      await untilBlocked(run, 'OutcomeUnknown');
      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await failureOfRun(run);

      expect(blocked?.message).toContain(
        `instance ${state.instances[0]?.id ?? ''} in status ERROR`,
      );
      expect(blocked?.advice).toContain('"replaceBroken": true');
      expect(blocked?.advice).not.toContain('Then resume the run');
      expect(simulator.inventory()).toMatchObject({ instances: [{}], volumes: [{}] });
      expect(mutations()).toEqual(before);
    }));

  it('is replaced with its volume when the caller chooses that', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator, account } = scenario;
      const state = await breakSuccess(scenario, 'broken-and-replaced');
      const run = await start('provisionInstance', provisionInput(), 'broken-and-replaced');
      await untilBlocked(run, 'OutcomeUnknown');
      const input = { ...provisionInput({}, { replaceBroken: true }), account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      const { instanceId, adopted } = await run.result();

      const { instances, volumes } = simulator.inventory();
      expect(adopted).toBe(false);
      expect(instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(volumes.map(({ id }) => id)).not.toContain(state.volumes[0]?.id);
      expect(volumes).toHaveLength(1);
    }));

  it('counts as an earlier success when the server does not know its run any more', () => {
    const marker = 'default/broken-and-forgotten';
    const state = stateWithInstances([{ of: 1, marker, status: 'ERROR' }]);
    return inScenario({ state }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput(), 'broken-and-forgotten');
      await untilBlocked(run, 'OutcomeUnknown');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);

      expect(existingIdsOf(simulator, 1)).toEqual(idsOf(1).sort());
    });
  });
});

describe('things under the marker of a request', () => {
  it('belong to another request when another Temporal namespace made them', () => {
    const maker = `${randomUUID()}/${randomUUID()}`;
    const state = stateWithInstances([{ of: 1, marker: 'default/two-clusters', maker }]);
    return inScenario({ state }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput(), 'two-clusters');
      const { instanceId, adopted } = await run.result();

      expect([adopted, instanceId === instanceIdOf(1)]).toEqual([false, false]);
      expect(existingIdsOf(simulator, 1)).toEqual(idsOf(1).sort());
    });
  });

  it('are removed with the volumes that the run made, but not with one that would go by itself', () => {
    const state = stateWithInstances([{ of: 1 }]);
    return inScenario({ state, policy: { probeMs: 60_000 } }, async ({ start, simulator, api }) => {
      await callByHand(api, `DELETE /cloud/v1/instances/1/1/${instanceIdOf(1)}`);
      await until('its volumes are free', () => simulator.inventory().instances.length === 0);
      const volumes = [
        {
          source: 'existing-volume' as const,
          volume_id: bootVolumeOf(1),
          boot_index: 0,
          delete_on_termination: true,
        },
      ];
      const action = {
        kind: 'task-error',
        error: 'internal error',
        leftovers: 'instance',
      } as const;
      simulator.faults.add({ match: createCall, action });

      const run = await start('provisionInstance', provisionInput({ volumes }));
      await untilBlocked(run, 'RemovalBlocked');
      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      const { details } = await failureOfRun(run);

      expect(blocked?.message).toContain(`volume ${bootVolumeOf(1)}, which the run did not make`);
      expect(details.resources).toMatchObject([{ kind: 'instance' }]);
      expect(
        simulator
          .inventory()
          .volumes.map(({ id }) => id)
          .sort(),
      ).toEqual([bootVolumeOf(1), dataVolumeOf(1)].sort());
    });
  });
});
