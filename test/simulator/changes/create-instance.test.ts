import { describe, expect, it } from '@jest/globals';

import { instanceSchema } from '../../../src/contract/api/cloud.js';
import {
  bootVolume,
  CREATE,
  createCloud,
  INSTANCES,
  instanceBody,
  PRIVATE_NETWORK,
} from '../../support/worlds/simulated-cloud.js';
import { PUBLIC_KEY } from '../../support/worlds/ssh-keys.js';

describe('creating an instance', () => {
  it('gives it addresses only when it is active', async () => {
    const cloud = createCloud();
    await cloud.start('POST', CREATE, instanceBody());

    const building = cloud.simulator.inventory().instances[0]?.addresses;
    cloud.settle();
    const active = cloud.simulator.inventory().instances[0]?.addresses;

    expect(building).toEqual({});
    expect(active).toEqual({
      pub_net: [
        {
          addr: expect.any(String),
          type: 'fixed',
          interface_name: null,
          subnet_id: expect.any(String),
          subnet_name: 'pub_subnet',
        },
      ],
    });
  });

  it('shows it in BUILD, locked by its task, until the task has finished', async () => {
    const cloud = createCloud();
    const taskId = await cloud.start('POST', CREATE, instanceBody());

    const building = await cloud.send('GET', INSTANCES);
    cloud.advance(14_999);
    const stillBuilding = await cloud.send('GET', INSTANCES);
    cloud.advance(15_001);
    const active = await cloud.send('GET', INSTANCES);

    const expected = { status: 'BUILD', creator_task_id: taskId, task_id: taskId };
    expect(building.body).toMatchObject({ count: 1, results: [expected] });
    expect(stillBuilding.body).toMatchObject({ results: [expected] });
    expect(active.body).toMatchObject({
      results: [{ status: 'ACTIVE', creator_task_id: taskId, task_id: null }],
    });
  });

  it('answers with every documented field, tags as a list', async () => {
    const cloud = createCloud();
    await cloud.send('POST', '/cloud/v1/ssh_keys/1', { name: 'laptop', public_key: PUBLIC_KEY });
    const { id } = await cloud.createInstance({ tags: { team: 'web' }, ssh_key_name: 'laptop' });

    const answer = await cloud.send('GET', `${INSTANCES}/${id}`);

    expect(instanceSchema.parse(answer.body).status).toBe('ACTIVE');
    expect(answer.body).toMatchObject({
      name: 'web-1',
      created_at: '2026-05-23T05:07:31Z',
      vm_state: 'active',
      task_state: null,
      flavor: {
        flavor_id: 'g2-standard-2-4',
        vcpus: 2,
        ram: 4096,
        architecture: 'x86_64',
        os_type: 'linux',
        hardware_description: { vcpus: '2 vCPU', ram: '4 GiB' },
      },
      tags: [{ key: 'team', value: 'web', read_only: false }],
      security_groups: [{ name: 'default' }],
      ssh_key_name: 'laptop',
      fixed_ip_assignments: [
        { external: true, ip_address: expect.any(String), subnet_id: expect.any(String) },
      ],
      ddos_profile: null,
      blackhole_ports: [],
      instance_description: null,
      instance_isolation: null,
      project_id: 1,
      region_id: 1,
      region: 'Luxembourg-2',
    });
  });

  it('creates its volumes with their own tags: creating, then in use', async () => {
    const cloud = createCloud();
    await cloud.start('POST', CREATE, {
      ...instanceBody(),
      tags: { of: 'instance' },
      volumes: [bootVolume({ tags: { of: 'volume' } }), { source: 'new-volume', size: 5 }],
    });

    const before = cloud.simulator.inventory().volumes;
    cloud.settle();
    const after = cloud.simulator.inventory().volumes;

    expect(before).toMatchObject([
      { status: 'creating', attachments: [] },
      { status: 'creating', attachments: [] },
    ]);
    expect(after).toMatchObject([
      { status: 'in-use', size: 20, tags: [{ key: 'of', value: 'volume' }], is_root_volume: true },
      { status: 'in-use', size: 5, tags: [], is_root_volume: false, task_id: null },
    ]);
  });

  it('creates a new floating IP on the interface that asks for one', async () => {
    const cloud = createCloud();
    const network_id = PRIVATE_NETWORK;

    const instance = await cloud.createInstance({
      interfaces: [{ type: 'any_subnet', network_id, floating_ip: { source: 'new' } }],
    });

    const [floatingIp] = cloud.simulator.inventory().floatingIps;
    expect(floatingIp).toMatchObject({ status: 'ACTIVE', task_id: null });
    expect(instance.addresses).toMatchObject({
      private: [
        { addr: floatingIp?.fixed_ip_address, type: 'fixed' },
        { addr: floatingIp?.floating_ip_address, type: 'floating' },
      ],
    });
  });

  it.each([
    ['web.{ip_octets}', /^web\.18-\d+-\d+$/],
    ['web.{two_ip_octets}', /^web\.\d+-\d+$/],
    ['web.{one_ip_octet}', /^web\.\d+$/],
  ])('resolves the name template %s', async (name_template, expected) => {
    const cloud = createCloud();

    const instance = await cloud.createInstance({ name: undefined, name_template });

    expect(instance.name).toMatch(expected);
  });

  it('creates a second instance for the same body, because the API has no idempotency key', async () => {
    const cloud = createCloud();
    const body = instanceBody();

    await cloud.start('POST', CREATE, body);
    await cloud.start('POST', CREATE, body);

    expect(cloud.simulator.inventory().instances).toHaveLength(2);
  });

  it('attaches an existing volume and releases it with the deletion', async () => {
    const cloud = createCloud();
    const first = await cloud.createInstance();
    await cloud.start('DELETE', `${INSTANCES}/${first.id}`);
    cloud.settle();
    const volume_id = first.volumes[0]?.id;
    const volumes = [{ source: 'existing-volume', volume_id, boot_index: 0 }];

    await cloud.start('POST', CREATE, instanceBody({ volumes }));
    const [during] = cloud.simulator.inventory().volumes;
    cloud.settle();
    const [second] = cloud.simulator.inventory().instances;
    const again = await cloud.send('POST', CREATE, instanceBody({ volumes }));

    expect(during).toMatchObject({ status: 'attaching', task_id: expect.any(String) });
    expect(second?.volumes).toEqual([{ id: volume_id, delete_on_termination: false }]);
    expect(again.status).toBe(409);
    expect(cloud.simulator.inventory().tasks.at(-1)?.created_resources).toMatchObject({
      instances: [second?.id],
      volumes: [],
    });
  });
});
