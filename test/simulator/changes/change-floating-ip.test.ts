import { describe, expect, it } from '@jest/globals';

import { cloudWithAddresses, PRIVATE } from '../../support/worlds/cloud-addresses.js';
import { CREATE, FLOATING_IPS, INSTANCES } from '../../support/worlds/simulated-cloud.js';

describe('a floating IP', () => {
  it('leads to another port only when its task has ended, and holds the instance meanwhile', async () => {
    const { cloud, wired, portOf, createFloatingIp, patch, shown } = cloudWithAddresses();
    const [one, two] = [await wired(), await wired()];
    const id = await createFloatingIp({ port_id: (await portOf(one)).port_id });
    const target = await portOf(two);

    await patch(id, { port_id: target.port_id });
    const during = await shown(`${FLOATING_IPS}/${id}`);
    const deletion = await cloud.send('DELETE', `${INSTANCES}/${two.id}`);
    cloud.settle();

    expect(during).toMatchObject({
      port_id: (await portOf(one)).port_id,
      task_id: expect.any(String),
    });
    expect(deletion.status).toBe(409);
    expect(await shown(`${FLOATING_IPS}/${id}`)).toMatchObject({
      status: 'ACTIVE',
      port_id: target.port_id,
      fixed_ip_address: target.ip_address,
      task_id: null,
    });
    expect(await shown(FLOATING_IPS)).toMatchObject({ results: [{ instance: { id: two.id } }] });
    expect(cloud.simulator.inventory().tasks.at(-1)).toMatchObject({
      task_type: 'update_floating_ip',
    });
  });

  it('starts no task when nothing would change', async () => {
    const { wired, portOf, createFloatingIp, patch } = cloudWithAddresses();
    const port = await portOf(await wired());
    const tags = { team: 'web' };
    const id = await createFloatingIp({ port_id: port.port_id, tags });

    const same = { port_id: port.port_id, fixed_ip_address: port.ip_address, tags };

    expect(await patch(id, same)).toEqual({ status: 200, body: { tasks: [] } });
    expect(await patch(id, {})).toEqual({ status: 200, body: { tasks: [] } });
  });

  it('changes its tags alone, and lets go of its port', async () => {
    const { cloud, wired, portOf, createFloatingIp, patch, shown } = cloudWithAddresses();
    const port = await portOf(await wired());
    const id = await createFloatingIp({ port_id: port.port_id });

    await patch(id, { tags: { team: 'web' } });
    cloud.settle();
    const tagged = await shown(`${FLOATING_IPS}/${id}`);
    await patch(id, { port_id: null });
    cloud.settle();

    expect(tagged).toMatchObject({ port_id: port.port_id, tags: [{ key: 'team' }] });
    expect(await shown(`${FLOATING_IPS}/${id}`)).toMatchObject({
      status: 'DOWN',
      port_id: null,
      fixed_ip_address: null,
    });
  });

  it.each<[string, (ports: Record<'free' | 'taken' | 'public', string>) => object, number]>([
    ['a port that does not exist', () => ({ port_id: 'none' }), 404],
    [
      'an address that the port does not have',
      ({ free }) => ({ port_id: free, fixed_ip_address: '10.0.0.200' }),
      400,
    ],
    ['a port that has a public address', (ports) => ({ port_id: ports.public }), 400],
    ['an address that has one', ({ taken }) => ({ port_id: taken }), 409],
  ])('is refused for %s', async (_case, bodyOf, status) => {
    const { cloud, wired, portOf, createFloatingIp } = cloudWithAddresses();
    const instance = await wired([PRIVATE, PRIVATE, { type: 'external' }]);
    const [free, taken, open] = [
      await portOf(instance),
      await portOf(instance, 1),
      await portOf(instance, 2),
    ];
    await createFloatingIp({ port_id: taken.port_id });
    const ports = { free: free.port_id, taken: taken.port_id, public: open.port_id };

    expect((await cloud.send('POST', FLOATING_IPS, bodyOf(ports))).status).toBe(status);
  });

  it('waits until an instance is free', async () => {
    const { cloud, wired, portOf } = cloudWithAddresses();
    const instance = await wired();
    const { port_id } = await portOf(instance);
    await cloud.start('POST', `${CREATE}/${instance.id}/action`, { action: 'stop' });

    expect((await cloud.send('POST', FLOATING_IPS, { port_id })).status).toBe(409);
  });

  it('goes away from an instance that is deleted', async () => {
    const { cloud, wired, portOf, createFloatingIp, shown } = cloudWithAddresses();
    const instance = await wired();
    const id = await createFloatingIp({ port_id: (await portOf(instance)).port_id });

    await cloud.start('DELETE', `${INSTANCES}/${instance.id}`);
    cloud.settle();

    expect(await shown(`${FLOATING_IPS}/${id}`)).toMatchObject({ status: 'DOWN', port_id: null });
  });
});
