import { describe, expect, it } from '@jest/globals';

import { cloudWithAddresses, PRIVATE } from '../../support/worlds/cloud-addresses.js';
import {
  CREATE,
  FLOATING_IPS,
  INSTANCES,
  instanceBody,
  PRIVATE_NETWORK,
  PRIVATE_SUBNET,
} from '../../support/worlds/simulated-cloud.js';

describe('an interface', () => {
  it('is attached and detached by tasks that lock the instance', async () => {
    const { cloud, wired, portOf, shown, createFloatingIp } = cloudWithAddresses();
    const instance = await wired([{ type: 'external' }]);
    const path = `${INSTANCES}/${instance.id}`;

    await cloud.start('POST', `${path}/attach_interface`, PRIVATE);
    const during = await shown(`${path}/interfaces`);
    const busy = await cloud.send('POST', `${path}/attach_interface`, { type: 'external' });
    cloud.settle();
    const port = await portOf(instance, 1);
    const floatingIp = await createFloatingIp({ port_id: port.port_id });
    await cloud.start('POST', `${path}/detach_interface`, port);
    cloud.settle();

    expect(during).toMatchObject({ count: 1 });
    expect(busy.status).toBe(409);
    expect(port.ip_address).toMatch(/^10\.0\.0\./);
    expect(await shown(`${path}/interfaces`)).toMatchObject({ count: 1 });
    expect(await shown(`${FLOATING_IPS}/${floatingIp}`)).toMatchObject({ port_id: null });
  });

  it.each([
    ['reserved_fixed_ip', (port_id: string) => ({ port_id }), 'private'],
    ['subnet', () => ({ subnet_id: PRIVATE_SUBNET }), 'private'],
    ['any_subnet', () => ({ network_id: PRIVATE_NETWORK }), 'private'],
    ['external', () => ({}), 'pub_net'],
  ])('is of the type %s when the body does not say it', async (_type, bodyOf, network) => {
    const { cloud, wired, reserve, shown } = cloudWithAddresses();
    const path = `${INSTANCES}/${(await wired()).id}`;

    await cloud.start('POST', `${path}/attach_interface`, bodyOf(await reserve()));
    cloud.settle();

    expect(await shown(`${path}/interfaces`)).toMatchObject({
      results: [{}, { network_details: { name: network } }],
    });
  });

  it('keeps its security while a task works on the instance', async () => {
    const { cloud, wired, portOf, shown } = cloudWithAddresses();
    const instance = await wired();
    const path = `${INSTANCES}/${instance.id}`;
    const port = `/cloud/v1/ports/1/1/${(await portOf(instance)).port_id}`;

    const off = await cloud.send('POST', `${port}/disable_port_security`);
    await cloud.start('POST', `${path}/attach_interface`, PRIVATE);
    const busy = await cloud.send('POST', `${port}/enable_port_security`);
    cloud.settle();

    expect(off.body).toMatchObject({ port_security_enabled: false });
    expect(busy.status).toBe(409);
    expect(await shown(`${path}/interfaces`)).toMatchObject({
      results: [{ port_security_enabled: false }, { port_security_enabled: true }],
    });
  });

  it('never gets an address that something has', async () => {
    const { cloud, wired, reserve, inventory } = cloudWithAddresses();
    await reserve({ type: 'ip_address', network_id: PRIVATE_NETWORK, ip_address: '10.0.0.77' });
    const taken = { ...PRIVATE, ip_address: '10.0.0.77' };
    const answer = await cloud.send('POST', CREATE, instanceBody({ interfaces: [taken] }));
    await wired(Array.from({ length: 240 }, () => PRIVATE));

    const addresses = inventory().instances.flatMap(({ addresses: all }) =>
      (all['private'] ?? []).map(({ addr }) => addr),
    );

    expect(answer.status).toBe(409);
    expect(new Set(addresses).size).toBe(240);
    expect(addresses).not.toContain('10.0.0.77');
  });
});
