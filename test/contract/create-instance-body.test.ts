import { describe, expect, it } from '@jest/globals';

import { createInstanceBodySchema } from '../../src/contract/api/create-instance-body.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import {
  A_UUID,
  createBody,
  withInterface,
  withVolume,
} from '../support/inputs/instance-bodies.js';

const GROUPS = [{ id: A_UUID }];

describe('createInstanceBodySchema', () => {
  it.each<[string, unknown]>([
    [
      'the documented body',
      {
        flavor: 'g2-standard-2-4',
        name: 'wf-abc',
        tags: { 'wf-id': 'abc' },
        interfaces: [
          { type: 'any_subnet', network_id: A_UUID, floating_ip: { source: 'new' } },
          { type: 'external' },
        ],
        volumes: [
          {
            source: 'image',
            image_id: A_UUID,
            size: 20,
            boot_index: 0,
            delete_on_termination: true,
          },
        ],
      },
    ],
    ['the smallest body', createBody()],
    ['a name template', createBody({ name_template: '{two_ip_octets}-web' })],
    ['a name of 3 characters', createBody({ name: 'a-1' })],
    ['a name of 63 characters', createBody({ name: 'a'.repeat(63) })],
    ['a name with inner spaces', createBody({ name: 'web 1_a.b' })],
    ['an SSH key', createBody({ ssh_key_name: 'work laptop' })],
    ['no SSH key, said with null', createBody({ ssh_key_name: null })],
    ['a user with a password', createBody({ username: 'admin', password: 'correct horse' })],
    ['a password alone', createBody({ password: 'correct horse' })],
    ['user data', createBody({ user_data: 'I2Nsb3VkLWNvbmZpZwo=' })],
    ['a server group', createBody({ servergroup_id: A_UUID })],
    ['security groups of the instance', createBody({ security_groups: GROUPS })],
    ['application ports', createBody({ allow_app_ports: true })],
    ['a configuration', createBody({ configuration: { replicas: 3, nested: { a: [1] } } })],
    ['a configuration of null', createBody({ configuration: null })],
    ['no tags', createBody({ tags: {} })],
    ['tags at their limits', createBody({ tags: { k: 'v', ['k'.repeat(255)]: 'v'.repeat(255) } })],
    ['a tag value in any script', createBody({ tags: { team: 'Größe 東京 🚀', odd: 'a=b, c/d' } })],
  ])('accepts %s', (_title, body) => {
    const parsed = parseInput(createInstanceBodySchema, body);

    expect(parsed).toEqual({ ok: true, value: body });
  });

  it.each<[string, unknown]>([
    ['external', { type: 'external' }],
    ['external with ip_family null', { type: 'external', ip_family: null }],
    ['external with dual stack', { type: 'external', ip_family: 'dual' }],
    ['subnet', { type: 'subnet', network_id: A_UUID, subnet_id: A_UUID }],
    [
      'subnet with a new floating IP',
      { type: 'subnet', network_id: A_UUID, subnet_id: A_UUID, floating_ip: { source: 'new' } },
    ],
    ['any_subnet', { type: 'any_subnet', network_id: A_UUID }],
    [
      'any_subnet with an IPv4 address',
      { type: 'any_subnet', network_id: A_UUID, ip_address: '192.0.2.10', ip_family: 'ipv4' },
    ],
    [
      'any_subnet with an IPv6 address',
      { type: 'any_subnet', network_id: A_UUID, ip_address: '2001:db8::10', ip_family: 'ipv6' },
    ],
    ['reserved_fixed_ip', { type: 'reserved_fixed_ip', port_id: 'port-1' }],
    [
      'reserved_fixed_ip with an existing floating IP',
      {
        type: 'reserved_fixed_ip',
        port_id: 'port-1',
        floating_ip: { source: 'existing', existing_floating_id: A_UUID },
      },
    ],
    [
      'one with a name and groups',
      { type: 'external', interface_name: 'i'.repeat(37), security_groups: GROUPS },
    ],
  ])('accepts the interface %s', (_title, item) => {
    const body = withInterface(item);

    const parsed = parseInput(createInstanceBodySchema, body);

    expect(parsed).toEqual({ ok: true, value: body });
  });

  it.each<[string, unknown]>([
    ['new-volume', { source: 'new-volume', size: 1 }],
    [
      'new-volume with all options',
      {
        source: 'new-volume',
        size: 10,
        name: 'data-1',
        type_name: 'ultra',
        attachment_tag: 'data',
        delete_on_termination: true,
        tags: { role: 'data' },
      },
    ],
    ['image without size, for basic machines', { source: 'image', image_id: A_UUID }],
    [
      'image of another type',
      { source: 'image', image_id: A_UUID, size: 5, type_name: 'ssd_lowlatency', boot_index: 0 },
    ],
    ['snapshot', { source: 'snapshot', snapshot_id: A_UUID, size: 5, type_name: 'ssd_hiiops' }],
    ['apptemplate', { source: 'apptemplate', apptemplate_id: 'marketplace-1', boot_index: 0 }],
    ['existing-volume', { source: 'existing-volume', volume_id: A_UUID, boot_index: 1 }],
    ['one that is not bootable', { source: 'image', image_id: A_UUID, boot_index: -1 }],
  ])('accepts the volume %s', (_title, item) => {
    const body = withVolume(item);

    const parsed = parseInput(createInstanceBodySchema, body);

    expect(parsed).toEqual({ ok: true, value: body });
  });
});
