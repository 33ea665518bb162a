import { describe, expect, it } from '@jest/globals';

import { ddosProfileListSchema } from '../../../src/contract/api/ddos.js';
import { taskSchema } from '../../../src/contract/api/cloud.js';
import { createCloud, TASKS } from '../../support/worlds/simulated-cloud.js';

const LIST = '/cloud/v1/ddos/profiles/1/1';
const PORTS = { base_field: 3, field_value: [8080] };
const BODY = { ip_address: '203.0.113.7', profile_template: 12, fields: [PORTS] };

type Cloud = ReturnType<typeof createCloud>;

async function list(cloud: Cloud, query = '') {
  const { body } = await cloud.send('GET', `${LIST}${query}`);
  return ddosProfileListSchema.parse(body).results;
}

async function taskOf(cloud: Cloud, id: string) {
  return taskSchema.parse((await cloud.send('GET', `${TASKS}/${id}`)).body);
}

/** A cloud with one inactive profile, and the path of the profile. */
async function withProfile(options: Parameters<typeof createCloud>[0] = {}) {
  const cloud = createCloud({ profileBirth: 'off', ...options });
  await cloud.start('POST', LIST, BODY);
  cloud.settle();
  const [profile] = await list(cloud);
  return { cloud, one: `${LIST}/${profile?.id}` };
}

describe('a DDoS profile', () => {
  it('exists immediately as queued and is active after its task', async () => {
    const cloud = createCloud();
    const taskId = await cloud.start('POST', LIST, BODY);

    expect(await list(cloud)).toMatchObject([{ status: { status: 'Queued' } }]);
    cloud.settle();

    const [profile] = await list(cloud);
    expect(profile).toMatchObject({
      ip_address: '203.0.113.7',
      profile_template: { id: 12 },
      options: { active: true, bgp: true },
      status: { status: 'Active' },
      managed_by: 'user',
    });
    expect(await taskOf(cloud, taskId)).toMatchObject({
      task_type: 'create_ddos_profile',
      created_resources: { ddos_profiles: [profile?.id] },
    });
  });

  it.each([
    ['on', true, 'Active'],
    ['off', false, 'Updated'],
  ] as const)('can be born %s', async (profileBirth, isOn, status) => {
    const { cloud } = await withProfile({ profileBirth });

    expect(await list(cloud)).toMatchObject([
      { options: { active: isOn, bgp: isOn }, status: { status } },
    ]);
  });

  it('is taken with the empty `value` of the samples of the API', async () => {
    const { cloud, one } = await withProfile();
    const fields = [{ base_field: 3, field_value: [8443], value: null }];

    await cloud.start('PATCH', one, { ...BODY, fields });
    cloud.settle();

    const [profile] = await list(cloud);
    expect(profile?.fields).toMatchObject([{ base_field: 3, field_value: [8443] }]);
  });

  it('shows just the fields that are set, each with an id of its own', async () => {
    const cloud = createCloud();
    const older = { base_field: 4, value: '50' };

    await cloud.start('POST', LIST, { ...BODY, bm_instance_id: 'vm', fields: [PORTS, older] });
    await cloud.start('POST', LIST, {
      ...BODY,
      fields: [PORTS, { base_field: 4, field_value: null }],
    });

    const [first, second] = cloud.simulator.inventory().ddosProfiles.map(({ fields }) => fields);
    expect(first).toMatchObject([
      { base_field: 3, name: 'ports', field_value: [8080] },
      { base_field: 4, name: 'requests', field_value: null, value: '50' },
    ]);
    expect(second).toMatchObject([{ base_field: 3 }]);
    const ids = [first, second].flat().map((field) => field?.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(3);
  });

  it('may exist twice for one address', async () => {
    const { cloud } = await withProfile();

    await cloud.start('POST', LIST, BODY);

    expect(await list(cloud, '?ip_address=203.0.113.7')).toHaveLength(2);
    expect(await list(cloud, '?ip_address=203.0.113.8')).toHaveLength(0);
  });

  it('has a task type each for change, activation, deactivation and deletion', async () => {
    const { cloud, one } = await withProfile();
    const steps: [string, string, unknown][] = [
      ['PATCH', one, { ...BODY, profile_template: 13, fields: [] }],
      ['POST', `${one}/action`, { active: true, bgp: true }],
      ['POST', `${one}/action`, { active: false, bgp: true }],
      ['DELETE', one, undefined],
    ];

    const seen: unknown[] = [];
    for (const [method, path, body] of steps) {
      const task = await cloud.start(method, path, body);
      cloud.settle();
      const [profile] = await list(cloud);
      const { options, status } = profile ?? {};
      seen.push([(await taskOf(cloud, task)).task_type, options?.active, status?.status]);
    }

    expect(seen).toEqual([
      ['update_ddos_profile', false, 'Updated'],
      ['activate_ddos_profile', true, 'Active'],
      ['deactivate_ddos_profile', false, 'Updated'],
      ['delete_ddos_profile', undefined, undefined],
    ]);
  });

  it.each([
    ['keep', [8080]],
    ['clear', undefined],
  ] as const)('can %s its fields on a PATCH without fields', async (patchWithoutFields, ports) => {
    const { cloud, one } = await withProfile({ patchWithoutFields });

    await cloud.start('PATCH', one, { ...BODY, fields: undefined });
    cloud.settle();

    const [profile] = await list(cloud);
    expect(profile?.fields[0]?.field_value).toEqual(ports);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['a network', { ip_address: '203.0.113.0/24' }, 400],
    ['a field of another template', { fields: [{ base_field: 7 }] }, 400],
    [
      'a value that breaks the schema of its field',
      { fields: [{ base_field: 3, field_value: [80] }] },
      400,
    ],
    [
      'an older value of the wrong type',
      { fields: [PORTS, { base_field: 4, value: 'many' }] },
      400,
    ],
    [
      'both forms of a value',
      { fields: [PORTS, { base_field: 4, field_value: 1, value: '1' }] },
      400,
    ],
    ['nothing in a required field', { fields: [{ base_field: 4, field_value: 5 }] }, 400],
    ['no fields where one is required', { fields: undefined }, 400],
    ['no template', { profile_template: undefined }, 400],
    ['a template that is not there', { profile_template: 99, fields: [] }, 404],
  ])('is not created with %s', async (_, change, status) => {
    const cloud = createCloud();

    expect(await cloud.send('POST', LIST, { ...BODY, ...change })).toMatchObject({ status });
    expect(cloud.simulator.inventory().ddosProfiles).toEqual([]);
  });

  it('appears in the instance that has its address', async () => {
    const cloud = createCloud();
    const { addresses, id } = await cloud.createInstance();
    const ip = Object.values(addresses)[0]?.[0]?.addr;
    await cloud.start('POST', LIST, { ...BODY, ip_address: ip });

    const { body } = await cloud.send('GET', `/cloud/v1/instances/1/1/${id}`);

    expect(body).toMatchObject({ ddos_profile: { ip_address: ip } });
  });
});

describe('the list of DDoS profiles', () => {
  it('has the documented filters and orders', async () => {
    const cloud = createCloud();
    for (const ip of ['203.0.113.9', '203.0.113.1', '2001:db8::1']) {
      await cloud.start('POST', LIST, { ...BODY, ip_address: ip });
    }
    const addresses = async (query: string) =>
      (await list(cloud, query)).map(({ ip_address: ip }) => ip);

    expect(await addresses('')).toEqual(['203.0.113.9', '203.0.113.1', '2001:db8::1']);
    expect(await addresses('?order_by=ip_address.asc&limit=1')).toEqual(['2001:db8::1']);
    expect(await addresses('?ip_address=2001:DB8:0::1')).toEqual(['2001:db8::1']);
    expect(await addresses('?ip_address=203.0.113.0/29')).toEqual(['203.0.113.1']);
    expect(await addresses('?ip_address=2001:db8::/32')).toEqual(['2001:db8::1']);
    expect(await addresses('?managed_by=system')).toEqual([]);
    expect(await cloud.send('GET', `${LIST}?order_by=name.asc`)).toMatchObject({ status: 400 });
  });

  it('lags behind a change when a fault rule says so', async () => {
    const { cloud, one } = await withProfile();
    const lag = { kind: 'list-lag', ms: 120_000 } as const;
    cloud.simulator.faults.add({ match: { path: `${one}/action` }, action: lag });

    await cloud.start('POST', `${one}/action`, { active: true, bgp: false });
    cloud.settle();

    expect(await list(cloud)).toMatchObject([{ options: { active: false } }]);
    expect(cloud.simulator.inventory().ddosProfiles).toMatchObject([{ options: { active: true } }]);
    cloud.advance(120_000);
    expect(await list(cloud)).toMatchObject([{ options: { active: true } }]);
  });

  it.each([
    ['none', []],
    ['profile', [{ options: { active: false }, status: { error_description: 'It broke' } }]],
  ] as const)('after a failed create shows: %s', async (leftovers, left) => {
    const cloud = createCloud();
    const action = { kind: 'task-error', error: 'It broke', leftovers } as const;
    cloud.simulator.faults.add({ match: { method: 'POST' }, action });

    await cloud.start('POST', LIST, BODY);
    cloud.settle();

    expect(await list(cloud)).toMatchObject(left);
  });

  it('shows an unchanged profile except its status after a failed change', async () => {
    const { cloud, one } = await withProfile();
    const action = { kind: 'task-error', error: 'It broke' } as const;
    cloud.simulator.faults.add({ match: { path: `${one}/action` }, action });
    cloud.simulator.faults.add({ match: { method: 'DELETE' }, action });

    await cloud.start('POST', `${one}/action`, { active: true, bgp: false });
    cloud.settle();
    expect(await list(cloud)).toMatchObject([
      { options: { active: false }, status: { status: 'Error', error_description: 'It broke' } },
    ]);

    await cloud.start('DELETE', one);
    cloud.settle();
    expect(await list(cloud)).toMatchObject([{ status: { status: 'Error Deleting' } }]);
  });
});
