import { beforeEach, describe, expect, it } from '@jest/globals';

import { createCloud, tagQuery, TASKS } from '../../support/worlds/simulated-cloud.js';
import { makeNetwork, makeSubnet, SUBNETS } from '../../support/worlds/networks.js';

let cloud = createCloud();
let networkId = '';

beforeEach(async () => {
  cloud = createCloud();
  networkId = (await makeNetwork(cloud, { name: 'office' })).id;
});

describe('a subnet', () => {
  it('has what its task was asked for, and defaults for the rest', async () => {
    const plain = await makeSubnet(cloud, { network_id: networkId, cidr: '192.168.10.0/24' });
    const six = await makeSubnet(cloud, {
      network_id: networkId,
      cidr: '2001:db8:7::/64',
      gateway_ip: null,
      connect_to_network_router: false,
      host_routes: [{ destination: '2001:db8:8::/64', nexthop: '2001:db8:7::9' }],
    });

    expect(plain).toMatchObject({
      cidr: '192.168.10.0/24',
      ip_version: 4,
      enable_dhcp: true,
      gateway_ip: '192.168.10.1',
      dns_nameservers: [],
      host_routes: [],
      total_ips: 254,
      available_ips: 253,
    });
    expect(six).toMatchObject({
      ip_version: 6,
      gateway_ip: null,
      total_ips: null,
      available_ips: null,
      host_routes: [{ destination: '2001:db8:8::/64', nexthop: '2001:db8:7::9' }],
    });
  });

  it.each([
    ['cidr', { cidr: '192.168.20.1/24' }],
    ['cidr', { cidr: '192.168.20.0' }],
    ['cidr', { cidr: '192.168.0.0/16' }],
    ['cidr', { cidr: '192.168.10.128/25' }],
    ['gateway_ip', { cidr: '192.168.20.0/24', gateway_ip: '192.168.21.1' }],
    ['gateway_ip', { cidr: '192.168.20.0/24', gateway_ip: '2001:db8::1' }],
    ['connect_to_network_router', { cidr: '192.168.20.0/24', gateway_ip: null }],
    ['ip_version', { cidr: '192.168.20.0/24', ip_version: 6 }],
    ['host_routes[0].nexthop', { host_routes: [{ destination: '10.0.0.0/8', nexthop: 'x' }] }],
    ['tags.a b', { cidr: '192.168.20.0/24', tags: { 'a b': 'c' } }],
  ])('is refused with %s of %j', async (field, body) => {
    await makeSubnet(cloud, { network_id: networkId, cidr: '192.168.10.0/24' });
    const whole = { name: 'wrong', network_id: networkId, cidr: '192.168.30.0/24', ...body };

    expect(await cloud.send('POST', SUBNETS, whole)).toMatchObject({
      status: 400,
      body: { invalid_fields: { [field]: [expect.any(String)] } },
    });
  });

  it('needs its network and the router of one', async () => {
    const body = { name: 'lost', network_id: networkId, cidr: '192.168.30.0/24' };
    const routerId = cloud.simulator.snapshot().networks[0]?.routerId;

    const answers = [
      await cloud.send('POST', SUBNETS, { ...body, network_id: 'none' }),
      await cloud.send('POST', SUBNETS, { ...body, router_id_to_connect: 'none' }),
      await cloud.send('POST', SUBNETS, { ...body, router_id_to_connect: routerId }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  it('of the smallest range has no gateway', async () => {
    expect(
      await makeSubnet(cloud, { network_id: networkId, cidr: '192.168.1.255/32' }),
    ).toMatchObject({ gateway_ip: null, total_ips: 0 });
  });

  it('is patched immediately, and deleted by a task', async () => {
    const { id } = await makeSubnet(cloud, {
      network_id: networkId,
      cidr: '192.168.10.0/24',
      tags: { env: 'dev' },
    });
    cloud.advance(60_000);

    const patched = await cloud.send('PATCH', `${SUBNETS}/${id}`, {
      name: 'renamed',
      gateway_ip: null,
      dns_nameservers: ['1.1.1.1'],
      enable_dhcp: false,
      tags: null,
    });
    const outside = await cloud.send('PATCH', `${SUBNETS}/${id}`, { gateway_ip: '10.0.0.1' });
    const taskId = await cloud.start('DELETE', `${SUBNETS}/${id}`);
    cloud.settle();

    expect(patched.body).toMatchObject({
      name: 'renamed',
      gateway_ip: null,
      dns_nameservers: ['1.1.1.1'],
      enable_dhcp: false,
      tags: [],
      available_ips: 254,
      updated_at: expect.not.stringContaining('05:07:31'),
    });
    expect(outside.status).toBe(400);
    expect((await cloud.send('GET', `${SUBNETS}/${id}`)).status).toBe(404);
    expect((await cloud.send('GET', `${TASKS}/${taskId}`)).body).toMatchObject({
      task_type: 'delete_subnet',
    });
  });
});

describe('the list of subnets', () => {
  it.each([
    ['', ['private-a', 'other-a', 'small', 'large']],
    [
      '?owned_by=any',
      ['private-a', 'other-a', 'shared-a', 'small', 'large', 'pub_subnet', 'pub_subnet_v6'],
    ],
    ['?order_by=total_ips.desc&limit=1', ['large']],
    ['?order_by=available_ips.asc&limit=1', ['small']],
    ['?order_by=name.desc&limit=1', ['small']],
    ['?order_by=cidr.desc&limit=1', ['large']],
    ['?tag_key=env', ['small']],
    [tagQuery({ env: 'dev' }), ['small']],
  ])('answers %j', async (query, names) => {
    await makeSubnet(cloud, { name: 'large', network_id: networkId, cidr: '172.16.0.0/16' });
    await makeSubnet(cloud, {
      name: 'small',
      network_id: networkId,
      cidr: '20.0.0.0/30',
      tags: { env: 'dev' },
    });

    const { body } = await cloud.send('GET', SUBNETS + query);
    const one = await cloud.send('GET', `${SUBNETS}?network_id=${networkId}`);

    expect(body).toMatchObject({ results: names.map((name) => ({ name })) });
    expect(one.body).toMatchObject({ count: 2 });
  });
});
