import { describe, expect, it } from '@jest/globals';

import { cloudWithVolumes } from '../../support/worlds/cloud-volumes.js';
import { INSTANCES, SNAPSHOTS, VOLUMES } from '../../support/worlds/simulated-cloud.js';

describe('a volume', () => {
  it('is attaching, in use, detaching and available again', async () => {
    const { cloud, create, move, shown } = cloudWithVolumes();
    const instance = await cloud.createInstance();
    const id = await create();
    const statuses: unknown[] = [];
    const look = async () => statuses.push(await shown(id));

    await move(id, 'attach', instance.id);
    await look();
    cloud.settle();
    await look();
    await move(id, 'detach', instance.id);
    await look();
    cloud.settle();
    await look();

    const attachments = [{ server_id: instance.id, volume_id: id }];
    expect(statuses).toMatchObject([
      { status: 'attaching', attachments: [] },
      { status: 'in-use', attachments },
      { status: 'detaching', attachments },
      { status: 'available', attachments: [] },
    ]);
    expect(cloud.simulator.inventory().instances).toMatchObject([{ volumes: [{}] }]);
  });

  it('stays where it was when a move fails', async () => {
    const { cloud, create, move, shown } = cloudWithVolumes();
    const { id: instanceId } = await cloud.createInstance();
    const id = await create();
    const action = { kind: 'task-error', error: 'no', leftovers: 'none' } as const;
    const fail = (path: RegExp) => {
      cloud.simulator.faults.add({ match: { method: 'POST', path }, action });
    };

    fail(/attach$/);
    await move(id, 'attach', instanceId);
    cloud.settle();
    expect(await shown(id)).toMatchObject({ status: 'available', task_id: null, attachments: [] });
    await move(id, 'attach', instanceId);
    cloud.settle();
    fail(/detach$/);
    await move(id, 'detach', instanceId);
    cloud.settle();
    expect(await shown(id)).toMatchObject({ status: 'in-use', attachments: [{}] });
  });

  it('goes through one change at a time', async () => {
    const { cloud, create, move, post } = cloudWithVolumes();
    const { id: instanceId } = await cloud.createInstance();
    const id = await create();
    await post(id, 'extend', { size: 6 });

    const others = await Promise.all([
      post(id, 'extend', { size: 7 }),
      post(id, 'retype', { volume_type: 'ssd_hiiops' }),
      post(id, 'revert'),
      move(id, 'attach', instanceId),
      cloud.send('DELETE', `${VOLUMES}/${id}`),
      cloud.send('POST', SNAPSHOTS, { name: 'before', volume_id: id }),
    ]);

    expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409]);
  });

  it('grows while it is in use, and holds its instance meanwhile', async () => {
    const { cloud, post, shown } = cloudWithVolumes();
    const { id: instanceId, volumes } = await cloud.createInstance();
    const id = volumes[0]?.id ?? '';
    await post(id, 'extend', { size: 30 });

    expect(await shown(id)).toMatchObject({ status: 'extending', size: 20 });
    expect((await cloud.send('DELETE', `${INSTANCES}/${instanceId}`)).status).toBe(409);
    cloud.settle();
    expect(await shown(id)).toMatchObject({ status: 'in-use', size: 30, attachments: [{}] });
  });

  it.each([
    ['a smaller size', ['extend', { size: 4 }], 400],
    ['the same size', ['extend', { size: 5 }], 400],
    ['a revert without a snapshot', ['revert'], 409],
    ['a type that nothing can change to', ['retype', { volume_type: 'ultra' }], 400],
  ] as const)('refuses %s', async (_case, [action, body], status) => {
    const { create, post } = cloudWithVolumes();

    expect(await post(await create(), action, body)).toMatchObject({ status });
  });

  it('stays where it is while it is in use, while its instance is busy, and as its root', async () => {
    const { cloud, create, move } = cloudWithVolumes();
    const [one, two] = [await cloud.createInstance(), await cloud.createInstance()];
    const [used, free] = [await create({ instance_id_to_attach_to: one.id }), await create()];

    const answers = [
      await move(used, 'attach', two.id),
      await move(used, 'detach', two.id),
      await move(one.volumes[0]?.id ?? '', 'detach', one.id),
    ];
    await cloud.start('POST', `/cloud/v2/instances/1/1/${two.id}/action`, { action: 'stop' });
    answers.push(await move(free, 'attach', two.id));

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    const { volumes } = cloud.simulator.inventory();
    expect(volumes.map(({ status }) => status)).not.toContain('attaching');
  });

  it('loses all its tags, or one', async () => {
    const { cloud, create, shown } = cloudWithVolumes();
    const id = await create({ tags: { team: 'web', stage: 'live' } });

    await cloud.send('PATCH', `${VOLUMES}/${id}`, { tags: { team: null, of: 'test' } });
    expect(await shown(id)).toMatchObject({ tags: [{ key: 'stage' }, { key: 'of' }] });
    await cloud.send('PATCH', `${VOLUMES}/${id}`, { tags: null });
    expect(await shown(id)).toMatchObject({ tags: [] });
  });

  it('of low latency neither grows nor has snapshots', async () => {
    const { cloud, create, post } = cloudWithVolumes();
    const id = await create({ type_name: 'ssd_lowlatency' });
    const body = { name: 'before', volume_id: id };

    expect((await post(id, 'extend', { size: 6 })).status).toBe(409);
    expect((await cloud.send('POST', SNAPSHOTS, body)).status).toBe(409);
  });
});
