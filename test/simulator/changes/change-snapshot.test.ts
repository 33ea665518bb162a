import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { cloudWithVolumes } from '../../support/worlds/cloud-volumes.js';
import { INSTANCES, SNAPSHOTS, VOLUMES } from '../../support/worlds/simulated-cloud.js';

describe('a snapshot', () => {
  it('locks its volume until it is available', async () => {
    const { cloud, create, shown } = cloudWithVolumes();
    const id = await create({ type_name: 'ssd_hiiops' });
    const taskId = await cloud.start('POST', SNAPSHOTS, { name: 'before', volume_id: id });

    expect(cloud.simulator.inventory().snapshots).toMatchObject([{ status: 'creating' }]);
    expect(await shown(id)).toMatchObject({ status: 'available', task_id: taskId });
    cloud.settle();
    const [snapshot] = cloud.simulator.inventory().snapshots;
    expect(snapshot).toMatchObject({ status: 'available', size: 5, volume_id: id, task_id: null });
    expect(await shown(id)).toMatchObject({ task_id: null, snapshot_ids: [snapshot?.id] });
  });

  it('is what a volume is reverted to, without a task in the answer', async () => {
    const { cloud, create, post, shown, snapshot } = cloudWithVolumes();
    const id = await create();
    await snapshot(id);
    const last = await snapshot(id);

    const answer = await post(id, 'revert');
    const during = await shown(id);
    cloud.settle();

    expect(answer).toEqual({ status: 204, body: undefined });
    expect(during).toMatchObject({ status: 'reverting', task_id: expect.any(String) });
    expect(await shown(id)).toMatchObject({ status: 'available', task_id: null });
    expect(cloud.simulator.inventory().tasks.at(-1)).toMatchObject({
      task_type: 'revert_volume',
      data: { volume_id: id, snapshot_id: last },
    });
  });

  it('keeps its volume from another type', async () => {
    const { create, post, snapshot } = cloudWithVolumes();
    const id = await create();
    await snapshot(id);

    expect((await post(id, 'retype', { volume_type: 'ssd_hiiops' })).status).toBe(409);
  });

  it('can be gone with its instance before its own deletion has failed', async () => {
    const { cloud, snapshot } = cloudWithVolumes();
    const { id: instanceId, volumes } = await cloud.createInstance();
    const boot = volumes[0]?.id ?? '';
    const path = `${SNAPSHOTS}/${await snapshot(boot)}`;
    for (const action of [
      { kind: 'task-error', error: 'no', leftovers: 'none' },
      { kind: 'slow-task', factor: 1000 },
    ] as const) {
      cloud.simulator.faults.add({ match: { method: 'DELETE', path }, action });
    }

    await cloud.start('DELETE', path);
    await cloud.start('DELETE', `${INSTANCES}/${instanceId}?volumes=${boot}`);
    cloud.settle();
    cloud.advance(10_000_000);

    expect(cloud.simulator.inventory()).toMatchObject({ snapshots: [] });
    expect(cloud.simulator.inventory().tasks).toMatchObject([{}, {}, { state: 'ERROR' }, {}]);
  });

  it('cannot be reverted to when the volume is in use or has grown', async () => {
    const { cloud, create, move, post, snapshot } = cloudWithVolumes();
    const { id: instanceId } = await cloud.createInstance();
    const used = await create();
    await snapshot(used);
    await move(used, 'attach', instanceId);
    const grown = await create();
    await snapshot(grown);
    await post(grown, 'extend', { size: 6 });
    cloud.settle();

    expect((await post(used, 'revert')).status).toBe(409);
    expect((await post(grown, 'revert')).status).toBe(409);
  });

  it('goes with its volume, also with the one of a deleted instance', async () => {
    const { cloud, create, snapshot } = cloudWithVolumes();
    const { id: instanceId, volumes } = await cloud.createInstance();
    const boot = volumes[0]?.id ?? '';
    const data = await create();
    await snapshot(boot);
    await snapshot(data);

    const unknown = await cloud.send('DELETE', `${VOLUMES}/${data}?snapshots=${randomUUID()}`);
    await cloud.start('DELETE', `${VOLUMES}/${data}`);
    await cloud.start('DELETE', `${INSTANCES}/${instanceId}?volumes=${boot}`);
    cloud.settle();

    expect(unknown.status).toBe(400);
    expect(cloud.simulator.inventory()).toMatchObject({ volumes: [], snapshots: [] });
  });
});
