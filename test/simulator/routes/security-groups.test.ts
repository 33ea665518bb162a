import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createCloud, INSTANCES, tagQuery } from '../../support/worlds/simulated-cloud.js';

const GROUPS = '/cloud/v1/securitygroups/1/1';
const CHANGE = '/cloud/v2/security_groups/1/1';
const RULES = '/cloud/v1/securitygrouprules/1/1';
const WEB = { direction: 'ingress', protocol: 'tcp', port_range_min: 80, port_range_max: 80 };
const TLS = { ...WEB, port_range_min: 443, port_range_max: 443 };

const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  revision_number: z.number(),
  security_group_rules: z.array(z.looseObject({ id: z.string() })),
});

type Cloud = ReturnType<typeof createCloud>;

async function makeGroup(cloud: Cloud, body: Record<string, unknown>) {
  const taskId = await cloud.start('POST', CHANGE, body);
  cloud.settle();
  const { security_groups: ids } = z
    .object({ created_resources: z.object({ security_groups: z.array(z.string()) }) })
    .parse((await cloud.send('GET', `/cloud/v1/tasks/${taskId}`)).body).created_resources;
  return read(cloud, ids[0] ?? '');
}

async function read(cloud: Cloud, id: string) {
  return groupSchema.parse((await cloud.send('GET', `${GROUPS}/${id}`)).body);
}

async function readDefault(cloud: Cloud, place = '1/1') {
  const { body } = await cloud.send('GET', `/cloud/v1/securitygroups/${place}?name=default`);
  const [group] = z.object({ results: z.array(groupSchema) }).parse(body).results;
  if (group === undefined) throw new Error('There is no default group');
  return group;
}

describe('a security group', () => {
  it('has the rules of its body; without any it lets everything through', async () => {
    const cloud = createCloud();

    const open = await makeGroup(cloud, { name: 'open' });
    const closed = await makeGroup(cloud, { name: 'closed', rules: [] });
    const web = await makeGroup(cloud, { name: 'web', rules: [WEB] });

    expect(open.security_group_rules).toMatchObject([
      { direction: 'egress', ethertype: 'IPv4', protocol: null },
      { direction: 'egress', ethertype: 'IPv6', protocol: null },
      { direction: 'ingress', ethertype: 'IPv4', protocol: null },
      { direction: 'ingress', ethertype: 'IPv6', protocol: null },
    ]);
    expect(closed.security_group_rules).toEqual([]);
    expect(web.security_group_rules).toMatchObject([
      { ...WEB, ethertype: 'IPv4', remote_ip_prefix: null, security_group_id: web.id },
    ]);
  });

  it('is patched to the rules of a body: those that stay keep their ids', async () => {
    const cloud = createCloud();
    const group = await makeGroup(cloud, {
      name: 'web',
      rules: [WEB, { ...WEB, protocol: 'udp' }],
    });
    const path = `${CHANGE}/${group.id}`;

    await cloud.start('PATCH', path, { rules: [TLS, WEB] });
    const locked = await cloud.send('PATCH', path, { name: 'other' });
    const before = await read(cloud, group.id);
    cloud.settle();
    const after = await read(cloud, group.id);
    const same = await cloud.send('PATCH', path, { name: 'web', rules: [WEB, TLS, WEB] });

    expect(locked.status).toBe(409);
    expect(before).toEqual(group);
    expect(after.security_group_rules).toMatchObject([
      { id: group.security_group_rules[0]?.id, ...WEB },
      TLS,
    ]);
    expect(after.revision_number).toBe(2);
    expect(same.body).toEqual({ tasks: [] });
  });

  it('is copied with rules of its own, and reverted to the template', async () => {
    const cloud = createCloud();
    const group = await makeGroup(cloud, { name: 'web', rules: [WEB], tags: { env: 'dev' } });

    const copied = await cloud.send('POST', `${GROUPS}/${group.id}/copy`, { name: 'web-2' });
    const copy = groupSchema.parse(copied.body);
    const reverted = await cloud.send('POST', `${GROUPS}/${copy.id}/revert`);

    expect(copied.body).toMatchObject({
      name: 'web-2',
      tags_v2: [{ key: 'env', value: 'dev' }],
      security_group_rules: [{ ...WEB, security_group_id: copy.id }],
    });
    expect(copy.security_group_rules[0]?.id).not.toBe(group.security_group_rules[0]?.id);
    expect(reverted.body).toMatchObject({
      revision_number: 2,
      security_group_rules: { length: 4 },
    });
    expect(await read(cloud, group.id)).toEqual(group);
  });

  it.each([
    ['port_range_min', { ...WEB, port_range_min: 81 }],
    ['port_range_min', { ...WEB, port_range_max: null }],
    ['port_range_max', { ...WEB, port_range_max: 65_536 }],
    ['protocol', { ...WEB, protocol: 'any' }],
    ['remote_ip_prefix', { ...WEB, remote_ip_prefix: '2001:db8::/32' }],
    ['remote_ip_prefix', { ...WEB, ethertype: 'IPv6', remote_ip_prefix: '10.0.0.0/8' }],
    ['remote_group_id', { ...WEB, remote_group_id: 'none' }],
  ])('gets no rule with a wrong %s: %j', async (field, rule) => {
    const cloud = createCloud();
    const { id } = await readDefault(cloud);

    expect(await cloud.send('POST', `${CHANGE}/${id}/rules`, rule)).toMatchObject({
      status: 400,
      body: { invalid_fields: { [field]: [expect.any(String)] } },
    });
  });

  it('replaces a rule by another one, immediately', async () => {
    const cloud = createCloud();
    const group = await makeGroup(cloud, { name: 'web', rules: [WEB] });
    const [rule = { id: '' }] = group.security_group_rules;

    const replaced = await cloud.send('PUT', `${RULES}/${rule.id}`, { ...WEB, protocol: 'any' });
    const again = await cloud.send('PUT', `${RULES}/${rule.id}`, TLS);

    expect(replaced.body).toMatchObject({ ...WEB, protocol: null, security_group_id: group.id });
    expect(again.status).toBe(404);
    expect((await read(cloud, group.id)).security_group_rules).toEqual([replaced.body]);
  });

  it.each([
    ['?name=web', ['web']],
    ['?name=we', []],
    ['?tag_key=env', ['web']],
    [tagQuery({ env: 'dev' }), ['web']],
    ['?limit=1&offset=1', ['web']],
    ['', ['default', 'web', ...Array.from({ length: 8 }, () => 'more')]],
  ])('is listed by %j, ten at a time', async (query, names) => {
    const cloud = createCloud();
    await makeGroup(cloud, { name: 'web', tags: { env: 'dev' } });
    for (let count = 0; count < 10; count++) await cloud.start('POST', CHANGE, { name: 'more' });

    expect((await cloud.send('GET', GROUPS + query)).body).toMatchObject({
      results: names.map((name) => ({ name })),
    });
  });
});

describe('the default group', () => {
  it('is another one in each place, and is kept from its first change on', async () => {
    const cloud = createCloud();
    const group = await readDefault(cloud);
    const elsewhere = await readDefault(cloud, '1/2');
    const unkept = cloud.simulator.snapshot().securityGroups;

    await cloud.start('POST', `${CHANGE}/${group.id}/rules`, WEB);
    cloud.settle();
    await cloud.send('GET', GROUPS);
    const restored = createCloud({ state: cloud.simulator.snapshot() });

    expect(unkept).toEqual([]);
    expect(elsewhere.id).not.toBe(group.id);
    expect((await readDefault(restored)).security_group_rules).toMatchObject([
      ...group.security_group_rules,
      WEB,
    ]);
    expect(await readDefault(restored, '1/2')).toEqual(elsewhere);
    expect((await restored.send('GET', GROUPS)).body).toMatchObject({ count: 1 });
  });

  it('is never deleted', async () => {
    const cloud = createCloud();
    const { id } = await readDefault(cloud);
    await cloud.send('POST', `${GROUPS}/${id}/revert`);

    expect((await cloud.send('DELETE', `${GROUPS}/${id}`)).status).toBe(409);
  });
});

describe('the security groups of an instance', () => {
  it('are named by it, added and taken away, and stay while it has them', async () => {
    const cloud = createCloud();
    const group = await makeGroup(cloud, { name: 'guards' });
    const { id } = await cloud.createInstance({ security_groups: [{ id: group.id }] });
    const path = `${INSTANCES}/${id}`;
    const names = async () =>
      z
        .object({ security_groups: z.array(z.object({ name: z.string() })) })
        .parse((await cloud.send('GET', path)).body)
        .security_groups.map(({ name }) => name);

    const first = await names();
    const used = await cloud.send('DELETE', `${GROUPS}/${group.id}`);
    const added = await cloud.send('POST', `${path}/addsecuritygroup`, { name: 'default' });
    await cloud.send('POST', `${path}/addsecuritygroup`, { name: 'default' });
    const second = await names();
    await cloud.send('POST', `${path}/delsecuritygroup`, {
      ports_security_group_names: [{ port_id: null, security_group_names: ['guards', 'default'] }],
    });

    expect([first, second, await names()]).toEqual([['guards'], ['guards', 'default'], []]);
    expect([used.status, added.status]).toEqual([409, 204]);
    expect((await cloud.send('DELETE', `${GROUPS}/${group.id}`)).status).toBe(204);
  });

  it('are the default one without any, and no other of that name', async () => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance();
    const namesake = await makeGroup(cloud, { name: 'default' });
    const deleted = await cloud.send('DELETE', `${GROUPS}/${namesake.id}`);
    const left = await cloud.send('POST', `${INSTANCES}/${id}/delsecuritygroup`, {
      name: 'default',
    });
    const again = await cloud.send('POST', `${INSTANCES}/${id}/delsecuritygroup`, {
      name: 'default',
    });

    expect([deleted, left, again].map(({ status }) => status)).toEqual([204, 204, 409]);
    expect((await cloud.send('GET', `${INSTANCES}/${id}`)).body).toMatchObject({
      security_groups: [],
    });
  });

  it.each([
    ['addsecuritygroup', {}, 400],
    ['addsecuritygroup', { name: 'nobody' }, 404],
    ['delsecuritygroup', { name: 'nobody' }, 404],
    [
      'addsecuritygroup',
      { ports_security_group_names: [{ port_id: 'none', security_group_names: ['default'] }] },
      404,
    ],
  ])('refuse %s of %j', async (action, body, status) => {
    const cloud = createCloud();
    const { id } = await cloud.createInstance();

    expect(await cloud.send('POST', `${INSTANCES}/${id}/${action}`, body)).toMatchObject({
      status,
    });
  });
});
