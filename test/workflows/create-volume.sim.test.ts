import { describe, expect, it } from '@jest/globals';

import { abortUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import {
  dataVolumeOf,
  instanceIdOf,
  snapshotOf,
  snapshotsOf,
  stateWithInstances,
} from '../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }, { of: 2 }]);
const { snapshots } = snapshotsOf([{ of: 1 }, { of: 2 }]);
STATE.snapshots = snapshots.map((row) =>
  row.id === snapshotOf(2) ? { ...row, status: 'creating' as const } : row,
);
const PATH = '/cloud/v1/volumes/1/1';
const IMAGE = 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';
const WANTED = { source: 'new-volume' as const, name: 'data-1', size: 20 };
const FROM_IMAGE = { source: 'image' as const, name: 'boot-1', size: 20, imageId: IMAGE };
const FROM_SNAPSHOT = {
  source: 'snapshot' as const,
  name: 'copy-1',
  size: 20,
  snapshotId: snapshotOf(1),
};

/** The volumes beside those of the state. */
const newIn = ({ simulator }: Scenario) =>
  simulator.inventory().volumes.filter(({ id }) => STATE.volumes.every((row) => row.id !== id));

describe('createVolume', () => {
  it('creates one volume with the tags of the input, and verifies it', () =>
    inScenario({ state: STATE, record: 'volume-made' }, async (scenario) => {
      const input = { ...WANTED, typeName: 'ssd_hiiops' as const, tags: { team: 'media' } };
      const run = await scenario.start('createVolume', input);

      const { ledger, taskIds, volumeId, ...result } = await run.result();

      const { name, size, typeName } = input;
      expect(result).toEqual({ name, size, typeName, status: 'available', adopted: false });
      const volumes = newIn(scenario);
      expect(volumes).toMatchObject([{ id: volumeId, size, creator_task_id: taskIds[0] }]);
      const tags = volumes[0]?.tags.map(({ key, value }) => [key, value]);
      expect(tags).toEqual(
        expect.arrayContaining([
          ['team', 'media'],
          ['workflow-request', `default/${run.workflowId}`],
        ]),
      );
      expect(ledger).toMatchObject([{ resources: [{ kind: 'volume', id: volumeId }] }]);
      expect(scenario.mutations()).toEqual([`POST ${PATH}`]);
    }));

  it.each([
    ['an image', FROM_IMAGE, { bootable: true, volume_image_metadata: { image_id: IMAGE } }],
    ['a snapshot', FROM_SNAPSHOT, { bootable: false, size: 20 }],
  ])('creates one from %s', (_, input, expected) =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('createVolume', input);

      const { volumeId } = await run.result();

      expect(newIn(scenario)).toMatchObject([{ id: volumeId, ...expected }]);
    }),
  );

  it('names in its plan what the API would refuse', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const refused = [
        [{ ...FROM_IMAGE, size: 1 }, 'size', /too small for the image/],
        [{ ...FROM_IMAGE, imageId: dataVolumeOf(9) }, 'imageId', /There is no image/],
        [{ ...FROM_SNAPSHOT, size: 30 }, 'size', /has 20 GiB/],
        [{ ...FROM_SNAPSHOT, snapshotId: dataVolumeOf(9) }, 'snapshotId', /There is no snapshot/],
        [{ ...FROM_SNAPSHOT, snapshotId: snapshotOf(2) }, 'snapshotId', /is creating/],
        [{ ...WANTED, typeName: 'ssd_local' as const }, 'typeName', /has no volumes of the type/],
      ] as const;

      for (const [input, path, says] of refused) {
        const plan = await planOf(scenario, 'createVolume', { input });

        const message = expect.stringMatching(says);
        expect(plan.findings).toEqual([
          expect.objectContaining({ severity: 'fault', path, message }),
        ]);
      }
    }));

  it('refuses the same before it sends', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const run = await scenario.start('createVolume', { ...FROM_SNAPSHOT, size: 30 });

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'InvalidRequest' });
      expect(failed.message).toContain('has 20 GiB');
      expect(scenario.mutations()).toEqual([]);
    }));

  it('plans its calls', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const input = { ...FROM_IMAGE, typeName: 'standard' as const };
      const plan = await planOf(scenario, 'createVolume', { input });

      expect(plan).toMatchObject({ ready: true, adopts: [], findings: [] });
      expect(plan.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
        `GET ${PATH}`,
        `GET /cloud/v1/images/1/1/${IMAGE}`,
        'GET /cloud/v1/regions/1',
        `POST ${PATH}`,
        'GET /cloud/v1/tasks/{task_id}',
        `GET ${PATH}/{volume_id}`,
      ]);
    }));

  const onCreate = { method: 'POST', path: PATH, times: 1 };
  const FAILING = { kind: 'task-error', error: 'internal', leftovers: 'volume' } as const;
  const methodsOf = (scenario: Scenario) => scenario.mutations().map((call) => call.split(' ')[0]);

  it('removes the broken volume of an earlier run that failed, and sends again', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: onCreate, action: FAILING });
      const kept = { ...WANTED, onFailure: 'keep' as const };
      await failureOfRun(await scenario.start('createVolume', kept, 'again'));
      const [rest] = newIn(scenario);
      const run = await scenario.start('createVolume', WANTED, 'again');

      const { volumeId, adopted } = await run.result();

      expect(rest?.status).toBe('error');
      expect(adopted).toBe(false);
      expect(newIn(scenario)).toMatchObject([{ id: volumeId, status: 'available' }]);
      expect(methodsOf(scenario)).toEqual(['POST', 'DELETE', 'POST']);
    }));

  it('waits for the task of an earlier run, and sends again when it fails', () => {
    const sent: unknown[] = [];
    const line = async (request: Request): Promise<Response> => {
      if (request.method === 'POST') sent.push(await request.clone().json());
      return fetch(request);
    };
    return inScenario({ state: STATE, line }, async (scenario) => {
      const { api, simulator } = scenario;
      simulator.faults.add({ match: onCreate, action: { kind: 'status', status: 400 } });
      await failureOfRun(await scenario.start('createVolume', WANTED, 'again'));
      // The call of that run comes once more, and late.
      simulator.faults.add({ match: onCreate, action: FAILING });
      simulator.faults.add({ match: onCreate, action: { kind: 'slow-task', factor: 20 } });
      await callByHand(api, `POST ${PATH}`, sent[0]);
      const run = await scenario.start('createVolume', WANTED, 'again');

      const { volumeId, adopted } = await run.result();

      expect(adopted).toBe(false);
      expect(newIn(scenario)).toMatchObject([{ id: volumeId, status: 'available' }]);
      expect(methodsOf(scenario)).toEqual(['POST', 'POST', 'DELETE', 'POST']);
    });
  });

  it('removes what its own failed task has left, although the list shows it late', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: onCreate, action: FAILING });
      scenario.simulator.faults.add({ match: onCreate, action: { kind: 'list-lag', ms: 300 } });
      const run = await scenario.start('createVolume', WANTED);

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('TaskFailed');
      expect(newIn(scenario)).toEqual([]);
      expect(methodsOf(scenario)).toEqual(['POST', 'DELETE']);
    }));

  it('blocks when an earlier run of the request has made another volume than is asked for', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const refused = { method: 'GET', path: /\/volumes\/1\/1\/./, times: 2 };
      scenario.simulator.faults.add({ match: refused, action: { kind: 'status', status: 400 } });
      const kept = { ...WANTED, onFailure: 'keep' as const };
      await failureOfRun(await scenario.start('createVolume', kept, 'again'));
      const other = { ...WANTED, size: 30, onBlocked: 'fail' as const };

      const failed = await failureOfRun(await scenario.start('createVolume', other, 'again'));

      expect(failed.type).toBe('OutcomeUnknown');
      expect(failed.message).toContain('it has 20 GiB');
      expect(methodsOf(scenario)).toEqual(['POST']);
      expect(newIn(scenario)).toHaveLength(1);
    }));

  it.each([
    ['that does not say it', '"other":[]', { record: 'volume-held' }],
    ['that says it has none', '"snapshot_ids":[]', {}],
  ])('removes no volume %s when somebody has taken a snapshot of it', (_, shown, recorded) => {
    const refused = createRefusedLook(shown);
    const policy = { probeMs: 600_000 };
    const settings = { policy, timeoutMs: 15_000, line: refused.line, speed: 1_000 };
    return inScenario({ state: STATE, ...recorded, ...settings }, async (scenario) => {
      const { api, simulator } = scenario;
      const takenOf = (id: string) =>
        simulator.inventory().snapshots.filter(({ volume_id: of }) => of === id);
      const run = await scenario.start('createVolume', WANTED);
      await until('it verifies', refused.isHeld);
      const [{ id } = { id: '' }] = newIn(scenario);
      const body = { name: 'of-somebody', volume_id: id };
      await callByHand(api, 'POST /cloud/v1/snapshots/1/1', body);
      await until('it is taken', () => takenOf(id)[0]?.status === 'available');
      refused.letGo();

      await untilBlocked(run, 'RemovalBlocked');
      const { blocked, steps } = await run.query(statusQuery);
      const [taken] = takenOf(id);
      await callByHand(api, `DELETE /cloud/v1/snapshots/1/1/${taken?.id}`);
      await until('its snapshot is gone', () => takenOf(id).length === 0);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const failed = await failureOfRun(run);

      expect(blocked?.message).toContain(`somebody has taken the snapshot ${taken?.id} of it`);
      expect(steps).toMatchObject([{ resources: [{ kind: 'volume', id }] }]);
      expect(failed.type).toBe('InvalidRequest');
      expect(newIn(scenario)).toEqual([]);
    });
  });

  it('does not even try to remove a volume that somebody has attached', () => {
    const refused = createRefusedLook('"snapshot_ids":[]');
    return inScenario({ state: STATE, timeoutMs: 15_000, line: refused.line }, async (scenario) => {
      const run = await scenario.start('createVolume', WANTED);
      await until('it verifies', refused.isHeld);
      const [{ id } = { id: '' }] = newIn(scenario);
      const body = { instance_id: instanceIdOf(1) };
      await callByHand(scenario.api, `POST /cloud/v2/volumes/1/1/${id}/attach`, body);
      await until('it is attached', () => newIn(scenario)[0]?.status === 'in-use');
      refused.letGo();

      await untilBlocked(run, 'RemovalBlocked');
      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await failureOfRun(run);

      expect(blocked?.message).toContain(`somebody has attached it to instance ${instanceIdOf(1)}`);
      expect(methodsOf(scenario)).not.toContain('DELETE');
      expect(newIn(scenario)).toMatchObject([{ id }]);
    });
  });
});

/**
 * Holds the first look at one volume, of the watcher, and the next, of the run, and then refuses both, so that the run undoes
 * its work. No answer names snapshots.
 *
 * @param shown what it says of them
 */
function createRefusedLook(shown: string) {
  const gate = createGate();
  let looks = 0;
  return {
    isHeld: () => looks > 0,
    letGo: gate.open,
    line: async (request: Request): Promise<Response> => {
      const isLook = request.method === 'GET' && /\/volumes\/1\/1\/./.test(request.url);
      if (isLook && looks < 2) {
        looks += 1;
        await gate.opened;
        return Response.json({ exception_class: 'ValidationError' }, { status: 400 });
      }
      const response = await fetch(request);
      const text = (await response.text()).replaceAll(/"snapshot_ids":\[[^\]]*\]/g, shown);
      const headers = { 'content-type': 'application/json' };
      return new Response(text, { status: response.status, headers });
    },
  };
}
