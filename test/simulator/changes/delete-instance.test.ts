import { describe, expect, it } from '@jest/globals';

import {
  bootVolume,
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
  PRIVATE_NETWORK,
} from '../../support/worlds/simulated-cloud.js';

describe('deleting an instance', () => {
  it('keeps volumes that are neither listed nor marked delete_on_termination', async () => {
    const cloud = createCloud();
    const instance = await cloud.createInstance({
      volumes: [
        bootVolume({ name: 'marked', delete_on_termination: true }),
        { source: 'new-volume', size: 1, name: 'listed' },
        { source: 'new-volume', size: 1, name: 'forgotten' },
      ],
    });
    const listed = instance.volumes[1]?.id ?? '';

    await cloud.start('DELETE', `${INSTANCES}/${instance.id}?volumes=${listed}`);
    const during = await cloud.send('GET', `${INSTANCES}/${instance.id}`);
    cloud.settle();
    const after = await cloud.send('GET', `${INSTANCES}/${instance.id}`);

    expect(during).toMatchObject({ status: 200, body: { task_state: 'deleting' } });
    expect(after).toMatchObject({ status: 404, body: { exception_class: 'NotFoundError' } });
    expect(cloud.simulator.inventory().volumes).toMatchObject([
      { name: 'forgotten', status: 'available', attachments: [], task_id: null },
    ]);
  });

  it('answers 409 while another task holds the lock', async () => {
    const cloud = createCloud();
    await cloud.start('POST', CREATE, instanceBody());
    const id = cloud.simulator.inventory().instances[0]?.id ?? '';

    const whileBuilding = await cloud.send('DELETE', `${INSTANCES}/${id}`);
    cloud.settle();
    const whileActive = await cloud.send('DELETE', `${INSTANCES}/${id}`);
    const whileDeleting = await cloud.send('DELETE', `${INSTANCES}/${id}`);

    expect(whileBuilding).toMatchObject({
      status: 409,
      body: { exception_class: 'ConflictError' },
    });
    expect(whileActive.status).toBe(200);
    expect(whileDeleting.status).toBe(409);
    expect(cloud.simulator.inventory().tasks).toHaveLength(2);
  });

  it('refuses volumes and floating IPs of other instances', async () => {
    const cloud = createCloud();
    const one = await cloud.createInstance();
    const other = await cloud.createInstance();

    const answer = await cloud.send(
      'DELETE',
      `${INSTANCES}/${one.id}?volumes=${other.volumes[0]?.id ?? ''}`,
    );

    expect(answer).toMatchObject({
      status: 400,
      body: { invalid_fields: { volumes: [expect.any(String)] } },
    });
  });

  it.each([
    ['all with delete_floatings', () => '?delete_floatings=true', 0],
    ['those that are named', (id: string) => `?floatings=${id}`, 0],
    ['none otherwise', () => '', 1],
  ])('deletes floating IPs: %s', async (_case, queryOf, left) => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance({
      interfaces: [
        { type: 'any_subnet', network_id: PRIVATE_NETWORK, floating_ip: { source: 'new' } },
      ],
    });
    const query = queryOf(cloud.simulator.inventory().floatingIps[0]?.id ?? '');

    await cloud.start('DELETE', `${INSTANCES}/${id}${query}`);
    cloud.settle();

    const rest = cloud.simulator.inventory().floatingIps;
    expect(rest.map((row) => [row.status, row.port_id])).toEqual(
      Array.from({ length: left }, () => ['DOWN', null]),
    );
  });
});
