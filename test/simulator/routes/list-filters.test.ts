import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  createCloud,
  FLOATING_IPS,
  INSTANCES,
  PRIVATE_NETWORK,
  RESERVED,
  SNAPSHOTS,
  tagQuery,
  VOLUMES,
} from '../../support/worlds/simulated-cloud.js';

const PRIVATE = { type: 'any_subnet', network_id: PRIVATE_NETWORK };

type Cloud = ReturnType<typeof createCloud>;

/** Two of everything: `a` is public and tagged `tier: front`; `b` is private, stopped and an hour younger. */
async function cloudWithTwo() {
  const cloud = createCloud();
  const a = await cloud.createInstance({ name: 'a-1', tags: { tier: 'front', of: 'list' } });
  const ip = a.addresses['pub_net']?.[0]?.addr ?? '';
  await make(cloud, '/cloud/v1/ddos/profiles/1/1', { ip_address: ip, profile_template: 13 });
  cloud.advance(3_600_000);
  const b = await cloud.createInstance({
    name: 'b-1',
    flavor: 'g2-memory-2-8',
    tags: { tier: 'back', of: 'list' },
    interfaces: [{ ...PRIVATE, floating_ip: { source: 'new' } }],
  });
  const volume = { source: 'new-volume', name: 'free', size: 5, tags: { cold: 'yes' } };
  await make(cloud, VOLUMES, volume);
  await make(cloud, FLOATING_IPS, { tags: { cold: 'yes' } });
  await make(cloud, SNAPSHOTS, { name: 'of-a', volume_id: a.volumes[0]?.id });
  const address = { type: 'ip_address', network_id: PRIVATE_NETWORK, ip_address: '10.0.0.200' };
  await make(cloud, RESERVED, address);
  await make(cloud, RESERVED, { type: 'external', is_vip: true });
  await make(cloud, `/cloud/v2/instances/1/1/${b.id}/action`, { action: 'stop' });
  return { cloud, a, b, ip };
}

async function make(cloud: Cloud, path: string, body: object) {
  await cloud.start('POST', path, body);
  cloud.settle();
}

const rowsSchema = z.object({
  count: z.number(),
  results: z.array(z.record(z.string(), z.unknown())),
});

type Two = Awaited<ReturnType<typeof cloudWithTwo>>;
type Case = [path: string, query: string | ((two: Two) => string), field: string, found: string[]];

const [BOTH, A, B] = [['a-1', 'b-1'], ['a-1'], ['b-1']];
const instances = (query: Case[1], found: string[]): Case => [INSTANCES, query, 'name', found];
const [BOOTS, FREE] = [['a-1_volume_0', 'b-1_volume_0'], ['free']];
const volumes = (query: Case[1], found: string[]): Case => [VOLUMES, query, 'name', found];
const floating = (query: Case[1], found: string[]): Case => [FLOATING_IPS, query, 'status', found];
const snapshots = (query: Case[1], found: string[]): Case => [SNAPSHOTS, query, 'name', found];
const reserved = (query: Case[1], found: string[]): Case => [RESERVED, query, 'is_vip', found];

const CASES: Case[] = [
  instances('name=-1', BOTH),
  instances(({ a }) => `uuid=${a.id.slice(2, 30)}`, A),
  instances('status=SHUTOFF', B),
  instances('flavor_id=g2-memory-2', []),
  instances('flavor_id=g2-memory-2-8', B),
  instances('flavor_prefix=g2-standard', A),
  instances('exclude_flavor_prefix=g2-standard', B),
  instances('exclude_secgroup=default', []),
  instances(({ ip }) => `ip=${ip}`, A),
  instances('ip=240.19.', B),
  instances('available_floating=true', B),
  instances('only_with_fixed_external_ip=true', A),
  instances('only_isolated=true', []),
  instances('changes-since=2026-05-23T06:00:00Z', B),
  instances('changes-before=2026-05-23T06:00:00Z', A),
  instances('tag_value=list&tag_value=front', A),
  instances(tagQuery({ tier: 'back' }).slice(1), B),
  instances('include_k8s=true&include_ai=true&include_baremetal=true', BOTH),
  instances('with_ddos=true&type_ddos_profile=advanced', A),
  instances('with_ddos=true&type_ddos_profile=basic', B),
  instances('with_ddos=true&profile_name=Game%20server', A),
  instances('with_ddos=true&protection_status=Error', []),
  instances('protection_status=Error', BOTH),
  volumes('bootable=true', BOOTS),
  volumes('bootable=false', FREE),
  volumes('has_attachments=false', FREE),
  volumes(({ a }) => `instance_id=${a.id}`, ['a-1_volume_0']),
  volumes(({ a }) => `id_part=${a.volumes[0]?.id.slice(3, 30) ?? ''}`, ['a-1_volume_0']),
  volumes('name_part=ree', FREE),
  volumes('tag_key=cold', FREE),
  volumes('tag_key=cold&tag_key=hot', []),
  volumes(tagQuery({ cold: 'yes' }).slice(1), FREE),
  volumes('cluster_id=any', []),
  floating('status=ACTIVE', ['ACTIVE']),
  floating('status=ERROR', []),
  floating('tag_key=cold', ['DOWN']),
  floating(tagQuery({ cold: 'no' }).slice(1), []),
  floating('port_ids=none', []),
  snapshots(({ a }) => `volume_id=${a.volumes[0]?.id ?? ''}`, ['of-a']),
  snapshots(({ a }) => `instance_id=${a.id}`, ['of-a']),
  snapshots(({ b }) => `instance_id=${b.id}`, []),
  snapshots('schedule_id=any', []),
  snapshots('lifecycle_policy_id=1', []),
  reserved('available_only=true', ['false', 'true']),
  reserved('device_id=any', []),
  reserved('external_only=true', ['true']),
  reserved('internal_only=true', ['false']),
  reserved('vip_only=true', ['true']),
  reserved('ip_address=0.0.2', ['false']),
];

describe('a list', () => {
  it('returns just what each of its filters matches', async () => {
    const two = await cloudWithTwo();

    const found = await Promise.all(
      CASES.map(async ([path, query, field]) => {
        const text = typeof query === 'string' ? query : query(two);
        const { body } = await two.cloud.send('GET', `${path}?${text}`);
        const { results } = rowsSchema.parse(body);
        return [path, text, results.map((row) => String(row[field])).sort()];
      }),
    );

    expect(found).toEqual(
      CASES.map(([path, query, , names]) => [
        path,
        typeof query === 'string' ? query : query(two),
        names,
      ]),
    );
  });

  it.each([
    ['created_at.asc', [false, true]],
    ['fixed_ip_address.desc', [true, false]],
    ['name.asc', [false, true]],
  ])('of reserved addresses is ordered by %s', async (order, expected) => {
    const { cloud } = await cloudWithTwo();

    const { body } = await cloud.send('GET', `${RESERVED}?order_by=${order}`);

    expect(rowsSchema.parse(body).results.map((row) => row['is_vip'])).toEqual(expected);
  });

  it('of instances shows profiles and names of interfaces only to those who ask', async () => {
    const cloud = createCloud();
    const named = { type: 'external', interface_name: 'eth0' };
    const { addresses } = await cloud.createInstance({ interfaces: [named] });
    const ip_address = addresses['pub_net']?.[0]?.addr;
    await make(cloud, '/cloud/v1/ddos/profiles/1/1', { ip_address, profile_template: 13 });

    const { body: plain } = await cloud.send('GET', INSTANCES);
    const { body: whole } = await cloud.send(
      'GET',
      `${INSTANCES}?with_ddos=true&with_interfaces_name=true`,
    );

    const shown = (name: string | null) => ({
      pub_net: [{ addr: ip_address, type: 'fixed', interface_name: name }],
    });
    expect(plain).toMatchObject({ results: [{ ddos_profile: null }] });
    expect(rowsSchema.parse(plain).results[0]?.['addresses']).toEqual(shown(null));
    expect(whole).toMatchObject({ results: [{ ddos_profile: { ip_address } }] });
    expect(rowsSchema.parse(whole).results[0]?.['addresses']).toEqual(shown('eth0'));
  });
});
