import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { makeNetwork, makeSubnet, NETWORKS, SUBNETS } from '../../support/worlds/networks.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const GROUPS = '/cloud/v1/securitygroups/1/1';
const RULES = '/cloud/v1/securitygrouprules/1/1';

/** As the older Terraform provider writes a rule. */
const ANY = { direction: 'egress', ethertype: 'IPv4', protocol: 'any', description: '' };
const WEB = {
  ...ANY,
  direction: 'ingress',
  protocol: 'tcp',
  port_range_min: 80,
  port_range_max: 80,
};

const idSchema = z.object({ id: z.string() });

describe('the calls of the older Terraform provider', () => {
  it('make a security group and change its rules, each immediately', async () => {
    const cloud = createCloud();
    const group = { name: 'web', description: 'HTTP', security_group_rules: [ANY] };

    const made = await cloud.send('POST', GROUPS, { security_group: group });
    const { id } = idSchema.parse(made.body);
    const first = z.object({ security_group_rules: z.array(idSchema) }).parse(made.body);
    const added = await cloud.send('POST', `${GROUPS}/${id}/rules`, {
      ...WEB,
      security_group_id: id,
    });
    const replaced = await cloud.send('PUT', `${RULES}/${idSchema.parse(added.body).id}`, {
      ...WEB,
      description: 'again',
    });
    const removed = await cloud.send(
      'DELETE',
      `${RULES}/${first.security_group_rules[0]?.id ?? ''}`,
    );

    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'web',
        description: 'HTTP',
        security_group_rules: [{ ...ANY, protocol: null, port_range_min: null }],
      },
    });
    expect(removed.status).toBe(204);
    expect((await cloud.send('GET', `${GROUPS}/${id}`)).body).toMatchObject({
      revision_number: 4,
      security_group_rules: [replaced.body],
    });
    expect(replaced.body).toMatchObject({ ...WEB, description: 'again' });
    expect(cloud.simulator.inventory().tasks).toEqual([]);
  });

  it('rename a network immediately', async () => {
    const cloud = createCloud();
    const { id } = await makeNetwork(cloud, { name: 'office' });

    const renamed = await cloud.send('PATCH', `${NETWORKS}/${id}`, { name: 'lab' });

    expect(renamed).toMatchObject({ status: 200, body: { id, name: 'lab' } });
    expect(cloud.simulator.inventory().networks).toMatchObject([{ id, name: 'lab' }]);
  });

  it('call tags metadata, and replace all of them', async () => {
    const cloud = createCloud();
    const metadata = { env: 'dev', team: 'a' };
    const network = await makeNetwork(cloud, { name: 'office', metadata });
    const subnet = await makeSubnet(cloud, {
      network_id: network.id,
      cidr: '10.7.0.0/24',
      metadata,
    });
    const group = { name: 'web', metadata };
    const { body } = await cloud.send('POST', GROUPS, { security_group: group });
    const paths = [
      `${NETWORKS}/${network.id}`,
      `${SUBNETS}/${subnet.id}`,
      `${GROUPS}/${idSchema.parse(body).id}`,
    ];

    for (const path of paths) {
      const before = await cloud.send('GET', path);
      const replaced = await cloud.send('PUT', `${path}/metadata`, { env: 'prod' });
      const after = await cloud.send('GET', path);

      expect(before.body).toMatchObject({
        metadata: [{ key: 'env' }, { key: 'team', value: 'a' }],
      });
      expect(replaced.status).toBe(204);
      expect(after.body).toMatchObject({
        metadata: [{ key: 'env', value: 'prod', read_only: false }],
      });
    }
    expect(
      await cloud.send('PUT', `${NETWORKS}/5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa/metadata`, {}),
    ).toMatchObject({ status: 409 });
  });
});
