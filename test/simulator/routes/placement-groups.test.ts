import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
} from '../../support/worlds/simulated-cloud.js';

const GROUPS = '/cloud/v1/servergroups/1/1';

async function withGroup() {
  const cloud = createCloud();
  const { body } = await cloud.send('POST', GROUPS, { name: 'apart', policy: 'anti-affinity' });
  const { servergroup_id: id } = z.object({ servergroup_id: z.string() }).parse(body);
  return { cloud, id, path: `${GROUPS}/${id}` };
}

describe('a placement group', () => {
  it('is joined and left by tasks of the instance, one group at a time', async () => {
    const { cloud, id, path } = await withGroup();
    const instance = await cloud.createInstance();
    const join = `${INSTANCES}/${instance.id}/put_into_servergroup`;
    const leave = `${INSTANCES}/${instance.id}/remove_from_servergroup`;

    const outside = await cloud.send('POST', leave);
    await cloud.start('POST', join, { servergroup_id: id });
    const locked = [
      await cloud.send('POST', join, { servergroup_id: id }),
      await cloud.send('DELETE', path),
    ];
    cloud.settle();
    const joined = await cloud.send('GET', path);
    const refused = [
      await cloud.send('POST', join, { servergroup_id: id }),
      await cloud.send('DELETE', path),
    ];
    await cloud.start('POST', leave);
    cloud.settle();
    const left = await cloud.send('GET', path);
    await cloud.start('DELETE', path);
    cloud.settle();

    const members = [{ instance_id: instance.id, instance_name: 'web-1' }];
    expect([outside, ...locked, ...refused].map(({ status }) => status)).toEqual([
      409, 409, 409, 409, 409,
    ]);
    expect(joined.body).toMatchObject({
      name: 'apart',
      policy: 'anti-affinity',
      instances: members,
    });
    expect(left.body).toMatchObject({ instances: [] });
    expect((await cloud.send('GET', path)).status).toBe(404);
  });

  it('has the instances that are made in it, until they are deleted', async () => {
    const { cloud, id, path } = await withGroup();
    const instance = await cloud.createInstance({ servergroup_id: id });
    const body = instanceBody({ servergroup_id: instance.id });
    const unknown = await cloud.send('POST', CREATE, body);

    const during = await cloud.send('GET', path);
    await cloud.start('DELETE', `${INSTANCES}/${instance.id}`);
    cloud.settle();

    expect(unknown.status).toBe(404);
    expect(during.body).toMatchObject({ instances: [{ instance_id: instance.id }] });
    expect((await cloud.send('GET', path)).body).toMatchObject({ instances: [] });
    expect(cloud.simulator.inventory()).toMatchObject({ placementGroups: [{ name: 'apart' }] });
  });

  it('is known in its own place only', async () => {
    const { cloud, id } = await withGroup();
    const elsewhere = `/cloud/v1/servergroups/1/2`;

    expect((await cloud.send('GET', `${elsewhere}/${id}`)).status).toBe(404);
    expect((await cloud.send('GET', elsewhere)).body).toEqual({ count: 0, results: [] });
    expect(await cloud.send('POST', GROUPS, { name: 'x', policy: 'random' })).toMatchObject({
      status: 400,
    });
  });
});
