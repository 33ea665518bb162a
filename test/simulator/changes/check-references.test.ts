import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  bootVolume,
  CREATE,
  createCloud,
  instanceBody,
  PRIVATE_NETWORK,
  PRIVATE_SUBNET,
  WINDOWS,
} from '../../support/worlds/simulated-cloud.js';

const PRIVATE = { type: 'any_subnet', network_id: PRIVATE_NETWORK };
const OTHER_NETWORK = '9c7d5f10-1b9c-4a6c-9f6e-0d5f6a4b7c22';
const nowhere = randomUUID();
const fromWindows = [bootVolume({ image_id: WINDOWS, size: 60 })];

describe('the body of a create call', () => {
  it.each([
    ['an image', { volumes: [bootVolume({ image_id: nowhere })] }, 'volumes[0].image_id'],
    [
      'a snapshot',
      { volumes: [{ source: 'snapshot', snapshot_id: nowhere, size: 5 }] },
      'volumes[0].snapshot_id',
    ],
    ['a key', { ssh_key_name: 'nobody' }, 'ssh_key_name'],
    [
      'a network',
      { interfaces: [{ type: 'any_subnet', network_id: nowhere }] },
      'interfaces[0].network_id',
    ],
    [
      'a subnet of the network',
      { interfaces: [{ type: 'subnet', network_id: OTHER_NETWORK, subnet_id: PRIVATE_SUBNET }] },
      'interfaces[0].subnet_id',
    ],
    [
      'an address of the network',
      { interfaces: [{ ...PRIVATE, ip_address: '192.0.2.1' }] },
      'interfaces[0].ip_address',
    ],
    [
      'a subnet of this family',
      { interfaces: [{ ...PRIVATE, ip_family: 'dual' }] },
      'interfaces[0].ip_family',
    ],
    ['room for the image', { volumes: [bootVolume({ size: 9 })] }, 'volumes[0].size'],
    [
      'a user on Windows',
      { volumes: fromWindows, username: 'admin', password: 'Secret-1' },
      'username',
    ],
  ])('is refused when there is not %s', async (_case, change, path) => {
    const cloud = createCloud();

    const answer = await cloud.send('POST', CREATE, instanceBody(change));

    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).toHaveProperty('invalid_fields', { [path]: [expect.any(String)] });
    expect(cloud.simulator.inventory()).toMatchObject({ instances: [], volumes: [], tasks: [] });
  });

  it('can name several instances, as older clients do: each has its own task', async () => {
    const cloud = createCloud();
    const old = { names: ['web-1', 'web-2'], metadata: { team: 'web' }, username: '' };

    const { body } = await cloud.send('POST', CREATE, {
      ...instanceBody(),
      name: undefined,
      ...old,
    });
    cloud.settle();

    const { instances } = cloud.simulator.inventory();
    expect(instances.map(({ name, tags }) => [name, tags.length])).toEqual([
      ['web-1', 1],
      ['web-2', 1],
    ]);
    expect(body).toEqual({ tasks: instances.map((row) => row.creator_task_id) });
  });

  it('cannot give one volume to several instances', async () => {
    const cloud = createCloud();
    const volumes = [{ source: 'existing-volume', volume_id: nowhere }];
    const body = { ...instanceBody({ volumes }), name: undefined, names: ['web-1', 'web-2'] };

    expect(await cloud.send('POST', CREATE, body)).toMatchObject({
      status: 400,
      body: { invalid_fields: { names: [expect.any(String)] } },
    });
  });
});
