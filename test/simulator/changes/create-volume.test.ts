import { describe, expect, it } from '@jest/globals';

import { cloudWithVolumes } from '../../support/worlds/cloud-volumes.js';
import { INSTANCES, UBUNTU, VOLUMES } from '../../support/worlds/simulated-cloud.js';

describe('creating a volume', () => {
  it('shows it locked until its task has ended, which names it', async () => {
    const { cloud, newest, shown, task } = cloudWithVolumes();
    const taskId = await cloud.start('POST', VOLUMES, {
      source: 'image',
      image_id: UBUNTU,
      name: 'boot',
      size: 10,
      tags: { team: 'web' },
    });
    const id = newest();

    expect(await shown(id)).toMatchObject({ status: 'creating', task_id: taskId });
    cloud.settle();
    expect(await shown(id)).toMatchObject({
      status: 'available',
      task_id: null,
      creator_task_id: taskId,
      bootable: true,
      attachments: [],
      volume_image_metadata: { image_id: UBUNTU },
      tags: [{ key: 'team', value: 'web', read_only: false }],
    });
    expect(await task(taskId)).toMatchObject({
      task_type: 'create_volume',
      created_resources: { volumes: [id] },
    });
  });

  it('can attach it, and locks the instance meanwhile', async () => {
    const { cloud, newest, shown } = cloudWithVolumes();
    const instance = await cloud.createInstance();
    const body = { source: 'new-volume', name: 'data', size: 5 };
    const taskId = await cloud.start('POST', VOLUMES, {
      ...body,
      instance_id_to_attach_to: instance.id,
    });
    const building = await cloud.send('GET', `${INSTANCES}/${instance.id}`);
    const deletion = await cloud.send('DELETE', `${INSTANCES}/${instance.id}`);
    cloud.settle();
    const after = await cloud.send('GET', `${INSTANCES}/${instance.id}`);

    expect(building.body).toMatchObject({ task_id: taskId, volumes: [instance.volumes[0]] });
    expect(deletion.status).toBe(409);
    expect(after.body).toMatchObject({ task_id: null, volumes: [{}, { id: newest() }] });
    expect(await shown(newest())).toMatchObject({
      status: 'in-use',
      attachments: [{ server_id: instance.id, device: '/dev/vdb' }],
    });
  });

  it('gives each volume of an instance a device of its own', async () => {
    const { cloud, create } = cloudWithVolumes();
    const extra = Array.from({ length: 27 }, () => ({ source: 'new-volume', size: 1 }));
    const { id } = await cloud.createInstance({ volumes: extra });
    await create({ instance_id_to_attach_to: id });

    const devices = cloud.simulator.inventory().volumes.map((row) => row.attachments[0]?.device);

    expect(new Set(devices).size).toBe(28);
    expect(devices.slice(25)).toEqual(['/dev/vdz', '/dev/vdaa', '/dev/vdab']);
  });

  it.each([
    ['none', []],
    ['volume', ['error']],
  ] as const)('leaves what the fault says when its task fails: %s', async (leftovers, left) => {
    const { cloud } = cloudWithVolumes();
    const action = { kind: 'task-error', error: 'no', leftovers } as const;
    cloud.simulator.faults.add({ match: { method: 'POST', path: VOLUMES }, action });

    await cloud.start('POST', VOLUMES, { source: 'new-volume', name: 'data', size: 5 });
    cloud.settle();

    expect(cloud.simulator.inventory().volumes.map(({ status }) => status)).toEqual(left);
  });

  it('is not listed while lists lag', async () => {
    const { cloud, shown, newest } = cloudWithVolumes();
    const action = { kind: 'list-lag', ms: 300_000 } as const;
    cloud.simulator.faults.add({ match: { method: 'POST', path: VOLUMES }, action });
    await cloud.start('POST', VOLUMES, { source: 'new-volume', name: 'data', size: 5 });
    cloud.settle();

    expect((await cloud.send('GET', VOLUMES)).body).toMatchObject({ count: 0 });
    expect(await shown(newest())).toMatchObject({ status: 'available' });
  });
});

describe('a body of a create call of a volume', () => {
  it.each([
    ['an image that is larger', { source: 'image', image_id: UBUNTU }, 'size'],
    ['a snapshot of another size', { source: 'snapshot', size: 6 }, 'size'],
    ['a tag of no attachment', { attachment_tag: 'data' }, 'attachment_tag'],
  ])('is refused with %s', async (_case, change, path) => {
    const { cloud, create, snapshot } = cloudWithVolumes();
    const snapshot_id = await snapshot(await create());
    const source = 'size' in change && { snapshot_id };
    const body = { source: 'new-volume', name: 'data', size: 5, ...change, ...source };

    const answer = await cloud.send('POST', VOLUMES, body);

    expect(answer).toMatchObject({
      status: 400,
      body: { invalid_fields: { [path]: [expect.any(String)] } },
    });
  });
});
