import { describe, expect, it } from '@jest/globals';

import { cloudWithAddresses } from '../../support/worlds/cloud-addresses.js';
import {
  CREATE,
  FLOATING_IPS,
  INSTANCES,
  instanceBody,
  PRIVATE_SUBNET,
  RESERVED,
} from '../../support/worlds/simulated-cloud.js';

describe('a reserved address', () => {
  it('moves with its floating IP from a deleted instance to a new one', async () => {
    const { cloud, wired, createFloatingIp, reserve, shown } = cloudWithAddresses();
    const port_id = await reserve();
    const reserved = `${RESERVED}/${port_id}`;
    const one = await wired([{ type: 'reserved_fixed_ip', port_id }]);
    await createFloatingIp({ port_id });
    const used = await shown(reserved);

    await cloud.start('DELETE', `${INSTANCES}/${one.id}`);
    cloud.settle();
    const free = await shown(reserved);
    const between = await shown(FLOATING_IPS);
    const two = await wired([{ type: 'reserved_fixed_ip', port_id }]);

    expect(used).toMatchObject({ status: 'ACTIVE', reservation: { resource_id: one.id } });
    expect(free).toMatchObject({ status: 'DOWN', attachments: [], task_id: null });
    expect(between).toMatchObject({ results: [{ port_id, instance: null }] });
    expect(await shown(FLOATING_IPS)).toMatchObject({ results: [{ instance: { id: two.id } }] });
    expect(two.addresses).toMatchObject({
      private: [{ type: 'fixed', subnet_id: PRIVATE_SUBNET }, { type: 'floating' }],
    });
  });

  it('is free again when the create of its instance fails', async () => {
    const { cloud, reserve, shown } = cloudWithAddresses();
    const port_id = await reserve();
    const action = { kind: 'task-error', error: 'no', leftovers: 'none' } as const;
    cloud.simulator.faults.add({ match: { method: 'POST', path: CREATE }, action });
    const interfaces = [{ type: 'reserved_fixed_ip', port_id }];

    await cloud.start('POST', CREATE, instanceBody({ interfaces }));
    const building = await cloud.send('POST', CREATE, instanceBody({ interfaces }));
    cloud.settle();

    expect(building.status).toBe(409);
    expect(await shown(`${RESERVED}/${port_id}`)).toMatchObject({
      attachments: [],
      task_id: null,
    });
  });

  it('goes with its instance when the deletion names it, and its floating IP is free', async () => {
    const { cloud, inventory, wired, createFloatingIp, reserve } = cloudWithAddresses();
    const port_id = await reserve();
    const instance = await wired([{ type: 'reserved_fixed_ip', port_id }]);
    await createFloatingIp({ port_id });

    const early = await cloud.send('DELETE', `${RESERVED}/${port_id}`);
    await cloud.start('DELETE', `${INSTANCES}/${instance.id}?reserved_fixed_ips=${port_id}`);
    cloud.settle();

    expect(early.status).toBe(409);
    expect(inventory().reservedFixedIps).toEqual([]);
    expect(inventory().floatingIps).toMatchObject([{ status: 'DOWN', port_id: null }]);
  });

  it('frees its floating IP when it is given back', async () => {
    const { cloud, inventory, createFloatingIp, reserve } = cloudWithAddresses();
    const port_id = await reserve();
    await createFloatingIp({ port_id });

    await cloud.start('DELETE', `${RESERVED}/${port_id}`);
    cloud.settle();

    expect(inventory().reservedFixedIps).toEqual([]);
    expect(inventory().floatingIps).toMatchObject([{ port_id: null, fixed_ip_address: null }]);
  });

  it('does not go with an instance that does not have it', async () => {
    const { cloud, wired, reserve } = cloudWithAddresses();
    const { id } = await wired();
    const query = `reserved_fixed_ips=${await reserve()}`;

    expect((await cloud.send('DELETE', `${INSTANCES}/${id}?${query}`)).status).toBe(400);
  });

  it('can be the port that an instance already has, which then outlives it', async () => {
    const { cloud, inventory, wired, portOf, reserve } = cloudWithAddresses();
    const instance = await wired();
    const port = await portOf(instance);

    await reserve({ type: 'port', port_id: port.port_id });
    await cloud.start('DELETE', `${INSTANCES}/${instance.id}`);
    cloud.settle();

    expect(inventory().reservedFixedIps).toMatchObject([
      { port_id: port.port_id, fixed_ip_address: port.ip_address, attachments: [] },
    ]);
  });

  it.each(['^10.0.(0+)+$', '['])('is not searched by the expression %s', async (text) => {
    const { cloud } = cloudWithAddresses();

    const answer = await cloud.send('GET', `${RESERVED}?ip_address=${encodeURIComponent(text)}`);

    expect(answer).toMatchObject({ status: 400, body: { invalid_fields: { ip_address: [{}] } } });
  });
});
