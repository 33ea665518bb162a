import { describe, expect, it } from '@jest/globals';

import { floatingIpListSchema } from '../../../src/contract/api/cloud.js';
import { volumeListSchema, volumeSchema } from '../../../src/contract/api/volumes.js';
import {
  bootVolume,
  createCloud,
  FLOATING_IPS,
  INSTANCES,
  tagQuery,
  TASKS,
  VOLUMES,
  PRIVATE_NETWORK,
} from '../../support/worlds/simulated-cloud.js';

describe('volumes', () => {
  it('are listed by tags and shown by id', async () => {
    const cloud = createCloud();
    await cloud.createInstance({ volumes: [bootVolume({ tags: { run: 'a' } }), bootVolume()] });

    const list = await cloud.send('GET', VOLUMES + tagQuery({ run: 'a' }));
    const { results } = volumeListSchema.parse(list.body);
    const one = await cloud.send('GET', `${VOLUMES}/${results[0]?.id ?? ''}`);

    expect(results).toHaveLength(1);
    expect(volumeSchema.parse(one.body)).toEqual(results[0]);
  });

  it('cannot be deleted while they are attached', async () => {
    const cloud = createCloud();
    const { volumes } = await cloud.createInstance();

    const answer = await cloud.send('DELETE', `${VOLUMES}/${volumes[0]?.id ?? ''}`);

    expect(answer).toMatchObject({ status: 409, body: { exception_class: 'ConflictError' } });
  });

  it('are deleted by their own task once they are free', async () => {
    const cloud = createCloud();
    const { id, volumes } = await cloud.createInstance();
    await cloud.start('DELETE', `${INSTANCES}/${id}`);
    cloud.settle();
    const path = `${VOLUMES}/${volumes[0]?.id ?? ''}`;

    const taskId = await cloud.start('DELETE', path);
    const during = await cloud.send('GET', path);
    cloud.settle();
    const after = await cloud.send('GET', path);

    const task = await cloud.send('GET', `${TASKS}/${taskId}`);
    expect(during.body).toMatchObject({ status: 'deleting', task_id: taskId });
    expect(after.status).toBe(404);
    expect(task.body).toMatchObject({ task_type: 'delete_volume', state: 'FINISHED' });
  });
});

describe('floating IPs', () => {
  it('are listed, shown by id and deleted by a task', async () => {
    const cloud = createCloud();
    await cloud.createInstance({
      interfaces: [
        { type: 'any_subnet', network_id: PRIVATE_NETWORK, floating_ip: { source: 'new' } },
      ],
    });

    const list = await cloud.send('GET', FLOATING_IPS);
    const [floatingIp] = floatingIpListSchema.parse(list.body).results;
    const path = `${FLOATING_IPS}/${floatingIp?.id ?? ''}`;
    const one = await cloud.send('GET', path);
    await cloud.start('DELETE', path);
    const again = await cloud.send('DELETE', path);
    cloud.settle();
    const after = await cloud.send('GET', path);

    expect(one.body).toMatchObject({ id: floatingIp?.id, task_id: null });
    expect(again.status).toBe(409);
    expect(after.status).toBe(404);
  });

  it('that already exist are attached, and released with the deletion', async () => {
    const cloud = createCloud();
    const network_id = PRIVATE_NETWORK;
    const interfaceWith = (floating_ip: unknown) => ({
      interfaces: [{ type: 'any_subnet', network_id, floating_ip }],
    });
    const first = await cloud.createInstance(interfaceWith({ source: 'new' }));
    await cloud.start('DELETE', `${INSTANCES}/${first.id}`);
    cloud.settle();
    const freed = cloud.simulator.inventory().floatingIps[0];

    const existing = { source: 'existing', existing_floating_id: freed?.id };
    const second = await cloud.createInstance(interfaceWith(existing));

    expect(freed?.status).toBe('DOWN');
    expect(cloud.simulator.inventory().floatingIps).toHaveLength(1);
    expect(JSON.stringify(second.addresses)).toContain(freed?.floating_ip_address);
  });
});

describe('the catalogue', () => {
  it.each([
    ['/cloud/v1/projects', { id: 1, name: 'Default' }],
    ['/cloud/v1/regions', { id: 1, display_name: 'Luxembourg-2' }],
    ['/cloud/v1/flavors/1/1', { flavor_id: 'g2-standard-2-4', vcpus: 2, ram: 4096 }],
  ])('is listed at %s', async (path, expected) => {
    const cloud = createCloud();

    const answer = await cloud.send('GET', path);

    expect(answer.body).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining(expected)]),
    });
  });
});
