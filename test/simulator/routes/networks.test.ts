import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { listEnvelope } from '../../../src/contract/api/cloud.js';
import { parseSimulatorState } from '../../../src/simulator/index.js';
import { createCloud, INSTANCES, tagQuery, TASKS } from '../../support/worlds/simulated-cloud.js';
import { makeNetwork, makeSubnet, NETWORKS, SUBNETS } from '../../support/worlds/networks.js';

const PRIVATE = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
const CHANGE = '/cloud/v2/networks/1/1';

const namesSchema = listEnvelope(z.object({ name: z.string() }));

type Cloud = ReturnType<typeof createCloud>;

async function namesOf(cloud: Cloud, path: string): Promise<string[]> {
  const { body } = await cloud.send('GET', path);
  return namesSchema.parse(body).results.map(({ name }) => name);
}

describe('a network', () => {
  it('is made by a task that locks it, with its router', async () => {
    const cloud = createCloud();

    const taskId = await cloud.start('POST', NETWORKS, { name: 'office', tags: { env: 'dev' } });
    const [made] = cloud.simulator.inventory().networks;
    const path = `${NETWORKS}/${made?.id ?? ''}`;
    const during = await cloud.send('DELETE', path);
    cloud.settle();

    expect(made).toMatchObject({ name: 'office', type: 'vxlan', task_id: taskId });
    expect(during.status).toBe(409);
    expect((await cloud.send('GET', path)).body).toMatchObject({
      task_id: null,
      creator_task_id: taskId,
      subnets: [],
      tags: [{ key: 'env', value: 'dev', read_only: false }],
    });
    expect((await cloud.send('GET', `${TASKS}/${taskId}`)).body).toMatchObject({
      task_type: 'create_network',
      created_resources: { networks: [made?.id], routers: [expect.any(String)] },
    });
  });

  it('does not exist after a failed task, and a failed deletion leaves it', async () => {
    const cloud = createCloud();
    const { id } = await makeNetwork(cloud, { name: 'kept' });
    const action = { kind: 'task-error', error: 'no segment left' } as const;
    cloud.simulator.faults.add({ match: { times: 2 }, action });

    await cloud.start('POST', NETWORKS, { name: 'lost' });
    await cloud.start('DELETE', `${NETWORKS}/${id}`);
    cloud.settle();

    expect(cloud.simulator.inventory().networks).toMatchObject([{ id, task_id: null }]);
  });

  it('is listed only after a lag', async () => {
    const cloud = createCloud();
    cloud.simulator.faults.add({ match: {}, action: { kind: 'list-lag', ms: 90_000 } });

    await makeNetwork(cloud, { name: 'late' });
    const early = await namesOf(cloud, NETWORKS);
    cloud.advance(90_000);

    expect(early).toEqual(['private', 'other']);
    expect(await namesOf(cloud, NETWORKS)).toEqual(['late', 'private', 'other']);
  });

  it('is patched by a task, but not without a change', async () => {
    const cloud = createCloud();
    const { id } = await makeNetwork(cloud, { name: 'office', tags: { env: 'dev', floor: '3' } });

    const same = await cloud.send('PATCH', `${CHANGE}/${id}`, { name: 'office', tags: {} });
    const taskId = await cloud.start('PATCH', `${CHANGE}/${id}`, {
      name: 'lab',
      tags: { env: null, team: 'a' },
    });
    const before = await cloud.send('GET', `${NETWORKS}/${id}`);
    cloud.settle();

    expect(same).toEqual({ status: 200, body: { tasks: [] } });
    expect(before.body).toMatchObject({ name: 'office', task_id: taskId });
    expect((await cloud.send('GET', `${NETWORKS}/${id}`)).body).toMatchObject({
      name: 'lab',
      tags: [
        { key: 'floor', value: '3' },
        { key: 'team', value: 'a' },
      ],
    });
  });

  it('takes its subnets with it, but not one that a port is in', async () => {
    const cloud = createCloud();
    const network = await makeNetwork(cloud, { name: 'office' });
    const subnet = await makeSubnet(cloud, { network_id: network.id, cidr: '10.0.0.0/16' });
    const instance = await cloud.createInstance({
      interfaces: [{ type: 'subnet', network_id: network.id, subnet_id: subnet.id }],
    });
    const path = `${NETWORKS}/${network.id}`;

    const used = [
      await cloud.send('DELETE', path),
      await cloud.send('DELETE', `${SUBNETS}/${subnet.id}`),
    ];
    const counted = await cloud.send('GET', `${SUBNETS}/${subnet.id}`);
    await cloud.start('DELETE', `${INSTANCES}/${instance.id}`);
    cloud.settle();
    await cloud.start('DELETE', path);
    cloud.settle();

    expect(used).toMatchObject([{ status: 409 }, { status: 409 }]);
    expect(counted.body).toMatchObject({ total_ips: 65_534, available_ips: 65_532 });
    expect(cloud.simulator.inventory()).toMatchObject({ networks: [], subnets: [] });
  });
});

describe('the list of networks', () => {
  it.each([
    ['', ['tagged', 'vlan', 'private', 'other']],
    ['?name=vlan', ['vlan']],
    ['?name=vla', []],
    ['?network_type=vlan', ['vlan']],
    ['?external=true', []],
    ['?external=true&owned_by=any', ['pub_net']],
    ['?owned_by=any&order_by=name.asc&limit=3', ['other', 'private', 'pub_net']],
    ['?owned_by=any&order_by=priority.desc&limit=1', ['shared']],
    ['?tag_key=env&tag_key=team', ['tagged']],
    ['?tag_key=env&tag_key=none', []],
    [tagQuery({ env: 'dev' }), ['tagged']],
    [tagQuery({ env: 'prod' }), []],
  ])('answers %j', async (query, names) => {
    const cloud = createCloud();
    await makeNetwork(cloud, { name: 'vlan', type: 'vlan' });
    await makeNetwork(cloud, { name: 'tagged', tags: { env: 'dev', team: 'a' } });

    expect(await namesOf(cloud, NETWORKS + query)).toEqual(names);
  });
});

describe('the networks in stock', () => {
  it('are in each place, in a new project and in a state that has none', async () => {
    const old = createCloud({ state: parseSimulatorState({ version: 1 }) });
    const { body } = await old.send('POST', '/cloud/v1/projects', { name: 'new' });
    const { id } = z.object({ id: z.number() }).parse(body);

    for (const place of ['1/1', '2/76', `${id}/2`]) {
      expect(await old.send('GET', `/cloud/v1/networks/${place}/${PRIVATE}`)).toMatchObject({
        status: 200,
        body: { name: 'private', subnets: [expect.any(String)] },
      });
    }
    expect(old.simulator.snapshot().networks).toEqual([]);
  });

  it('have subnets of a project, and cannot be changed', async () => {
    const cloud = createCloud();
    const subnet = await makeSubnet(cloud, { network_id: PRIVATE, cidr: '10.7.0.0/24' });

    const here = await cloud.send('GET', `${NETWORKS}/${PRIVATE}`);
    const elsewhere = await cloud.send('GET', `/cloud/v1/networks/1/2/${PRIVATE}`);
    const refused = [
      await cloud.send('DELETE', `${NETWORKS}/${PRIVATE}`),
      await cloud.send('PATCH', `${CHANGE}/${PRIVATE}`, { name: 'mine' }),
    ];

    expect(here.body).toMatchObject({ subnets: [expect.any(String), subnet.id] });
    expect(elsewhere.body).toMatchObject({ subnets: { length: 1 } });
    expect(refused).toMatchObject([{ status: 409 }, { status: 409 }]);
  });

  it('have the public network that its region names', async () => {
    const cloud = createCloud();
    const { body } = await cloud.send('GET', '/cloud/v1/regions/76');
    const { external_network_id: id } = z.object({ external_network_id: z.string() }).parse(body);

    expect(await cloud.send('GET', `/cloud/v1/networks/1/76/${id}`)).toMatchObject({
      status: 200,
      body: { name: 'pub_net', external: true, project_id: null },
    });
    expect(
      await cloud.send('POST', '/cloud/v1/subnets/1/76', {
        name: 'x',
        network_id: id,
        cidr: '10.7.0.0/24',
      }),
    ).toMatchObject({ status: 409 });
  });
});
