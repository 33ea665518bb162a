import { describe, expect, it } from '@jest/globals';

import { createInstanceBodySchema } from '../../src/contract/api/create-instance-body.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import {
  A_UUID,
  createBody,
  withInterface,
  withVolume,
} from '../support/inputs/instance-bodies.js';

const UNKNOWN = /^is not a known field: check the spelling or remove it$/;
const NAME = /^must have 3 to 63 characters: letters, digits/;
const UUID = /^must be a UUID$/;
const MISSING = /^is missing$/;
const TYPES = /^"type" must be one of external, subnet, any_subnet, reserved_fixed_ip$/;
const SOURCES =
  /^"source" must be one of new-volume, image, snapshot, apptemplate, existing-volume$/;
const TAG_KEY = /^must be a tag key with 1 to 255 characters, without white space or "="$/;
const TAG_VALUE = /^must be a tag value with 1 to 255 characters, without tabs or line breaks/;
const MARKER = /^must not contain the key "workflow-request": the worker sets this tag/;

const image = { source: 'image', image_id: A_UUID };
const anySubnet = { type: 'any_subnet', network_id: A_UUID };

/** Each body breaks one rule: its title, the path of the fault, the message. */
const BAD_BODIES: [string, unknown, string, RegExp][] = [
  ['null', null, '(input)', /must be an object/],
  ['a number', 7, '(input)', /must be an object/],
  ['a text', 'flavor', '(input)', /must be an object/],
  ['an array', [createBody()], '(input)', /must be an object/],
  ['no flavor', createBody({ flavor: undefined }), 'flavor', /^is missing$/],
  ['a flavor that is a number', createBody({ flavor: 1 }), 'flavor', /must be a text/],
  ['an empty flavor', createBody({ flavor: '' }), 'flavor', /must not be empty/],
  ['no interfaces', createBody({ interfaces: undefined }), 'interfaces', /^is missing$/],
  ['an empty list', createBody({ interfaces: [] }), 'interfaces', /at least one interface/],
  ['null for a list', createBody({ volumes: null }), 'volumes', /must be a list/],
  ['no volume', createBody({ volumes: [] }), 'volumes', /at least one volume/],
  ['an object for a list', createBody({ volumes: {} }), 'volumes', /must be a list/],
  ['a misspelt key', createBody({ flavour: 'x' }), 'flavour', UNKNOWN],
  ['the old plural key', createBody({ names: ['web'] }), 'names', UNKNOWN],
  ['a short name', createBody({ name: 'ab' }), 'name', NAME],
  ['a long name', createBody({ name: 'a'.repeat(64) }), 'name', NAME],
  ['a name that starts with "-"', createBody({ name: '-web' }), 'name', NAME],
  ['a name that ends with "-"', createBody({ name: 'web-' }), 'name', NAME],
  ['a name with an umlaut', createBody({ name: 'wöb' }), 'name', NAME],
  ['a name of null', createBody({ name: null }), 'name', /must be a text/],
  ['a template with "$"', createBody({ name_template: '$x-web' }), 'name_template', /placeholders/],
  [
    'a name and a template',
    createBody({ name: 'web', name_template: 'web-{ip_octets}' }),
    'name_template',
    /^cannot be combined with "name": set one of the two$/,
  ],
  [
    'a template with an unknown placeholder',
    createBody({ name_template: 'web-{ip}' }),
    'name_template',
    /\{two_ip_octets\}/,
  ],
  ['a user without password', createBody({ username: 'admin' }), 'username', /^needs "password"/],
  ['an empty password', createBody({ password: '' }), 'password', /must not be empty/],
  ['plain user data', createBody({ user_data: '#cloud-config' }), 'user_data', /must be base64/],
  ['a bad server group', createBody({ servergroup_id: 'one' }), 'servergroup_id', UUID],
  ['an empty SSH key', createBody({ ssh_key_name: '' }), 'ssh_key_name', /must not be empty/],
  [
    'a flag as text',
    createBody({ allow_app_ports: 'yes' }),
    'allow_app_ports',
    /must be true or false/,
  ],
  [
    'a list as configuration',
    createBody({ configuration: [] }),
    'configuration',
    /must be an object/,
  ],
  ['a group as text', createBody({ security_groups: [A_UUID] }), 'security_groups[0]', /object/],
  [
    'a group by name',
    createBody({ security_groups: [{ id: 'default' }] }),
    'security_groups[0].id',
    UUID,
  ],
  [
    'groups on both levels',
    createBody({
      security_groups: [{ id: A_UUID }],
      interfaces: [{ type: 'external', security_groups: [{ id: A_UUID }] }],
    }),
    'security_groups',
    /^cannot be combined with security groups of interfaces/,
  ],
  ['tags as a list', createBody({ tags: [{ key: 'a', value: 'b' }] }), 'tags', /must be an object/],
  ['a tag key with a space', createBody({ tags: { 'a b': 'c' } }), 'tags.a b', TAG_KEY],
  ['a tag key with "="', createBody({ tags: { 'a=b': 'c' } }), 'tags.a=b', TAG_KEY],
  ['an empty tag key', createBody({ tags: { '': 'c' } }), 'tags[""]', TAG_KEY],
  ['an empty tag value', createBody({ tags: { a: '' } }), 'tags.a', TAG_VALUE],
  ['a tag value with a line break', createBody({ tags: { a: 'b\nc' } }), 'tags.a', TAG_VALUE],
  ['a tag value that ends in a space', createBody({ tags: { a: 'b ' } }), 'tags.a', TAG_VALUE],
  ['a long tag value', createBody({ tags: { a: 'b'.repeat(256) } }), 'tags.a', TAG_VALUE],
  ['a number as tag value', createBody({ tags: { a: 1 } }), 'tags.a', /must be a text/],
  ['the marker tag', createBody({ tags: { 'workflow-request': 'mine' } }), 'tags', MARKER],
  ['an interface of null', withInterface(null), 'interfaces[0]', TYPES],
  ['an interface without type', withInterface({}), 'interfaces[0].type', TYPES],
  ['an unknown interface', withInterface({ type: 'internal' }), 'interfaces[0].type', TYPES],
  [
    'a bare-metal field',
    withInterface({ type: 'external', port_group: 0 }),
    'interfaces[0].port_group',
    UNKNOWN,
  ],
  [
    'a floating IP on an external interface',
    withInterface({ type: 'external', floating_ip: { source: 'new' } }),
    'interfaces[0].floating_ip',
    UNKNOWN,
  ],
  [
    'a subnet interface without subnet',
    withInterface({ type: 'subnet', network_id: A_UUID }),
    'interfaces[0].subnet_id',
    MISSING,
  ],
  [
    'an IP family of a subnet interface',
    withInterface({ ...anySubnet, type: 'subnet', subnet_id: A_UUID, ip_family: 'ipv4' }),
    'interfaces[0].ip_family',
    UNKNOWN,
  ],
  [
    'an unknown IP family',
    withInterface({ ...anySubnet, ip_family: 'ipv5' }),
    'interfaces[0].ip_family',
    /^must be one of ipv4, ipv6, dual$/,
  ],
  [
    'a network as address',
    withInterface({ ...anySubnet, ip_address: '192.0.2.0/24' }),
    'interfaces[0].ip_address',
    /^must be an IP address$/,
  ],
  [
    'an unknown floating IP source',
    withInterface({ ...anySubnet, floating_ip: { source: 'old' } }),
    'interfaces[0].floating_ip.source',
    /^"source" must be one of new, existing$/,
  ],
  [
    'an existing floating IP without id',
    withInterface({ ...anySubnet, floating_ip: { source: 'existing' } }),
    'interfaces[0].floating_ip.existing_floating_id',
    MISSING,
  ],
  [
    'no port',
    withInterface({ type: 'reserved_fixed_ip' }),
    'interfaces[0].port_id',
    /^is missing$/,
  ],
  [
    'a long interface name',
    withInterface({ type: 'external', interface_name: 'i'.repeat(38) }),
    'interfaces[0].interface_name',
    /at most 37 characters/,
  ],
  ['a volume of text', withVolume('boot'), 'volumes[0]', SOURCES],
  ['an unknown volume', withVolume({ source: 'disk' }), 'volumes[0].source', SOURCES],
  ['a volume of size 0', withVolume({ ...image, size: 0 }), 'volumes[0].size', /at least 1 GiB/],
  ['half a GiB', withVolume({ ...image, size: 1.5 }), 'volumes[0].size', /must be a whole number/],
  ['a size as text', withVolume({ ...image, size: '20' }), 'volumes[0].size', /must be a number/],
  [
    'a bootable new volume',
    withVolume({ source: 'new-volume', size: 1, boot_index: 0 }),
    'volumes[0].boot_index',
    UNKNOWN,
  ],
  [
    'a snapshot without size',
    withVolume({ source: 'snapshot', snapshot_id: A_UUID }),
    'volumes[0].size',
    /^is missing$/,
  ],
  [
    'a snapshot of another type',
    withVolume({ source: 'snapshot', snapshot_id: A_UUID, size: 1, type_name: 'ultra' }),
    'volumes[0].type_name',
    /^must be one of ssd_hiiops, standard$/,
  ],
  [
    'an existing volume with a size',
    withVolume({ source: 'existing-volume', volume_id: A_UUID, size: 1 }),
    'volumes[0].size',
    UNKNOWN,
  ],
  ['an image without id', withVolume({ source: 'image' }), 'volumes[0].image_id', MISSING],
  [
    'a bad attachment tag',
    withVolume({ ...image, attachment_tag: 'a,b' }),
    'volumes[0].attachment_tag',
    /no "," and no "\/"/,
  ],
  [
    'the marker on a volume',
    withVolume({ ...image, tags: { 'workflow-request': 'mine' } }),
    'volumes[0].tags',
    MARKER,
  ],
];

describe('createInstanceBodySchema', () => {
  const rows = BAD_BODIES.map(([title, body, path, message]) => ({ title, body, path, message }));

  it.each(rows)('refuses $title', ({ body, path, message }) => {
    const parsed = parseInput(createInstanceBodySchema, body);

    expect(parsed).toEqual({
      ok: false,
      faults: [{ path, message: expect.stringMatching(message) }],
    });
  });

  it.each(['{ip_octets}', '{two_ip_octets}', '{one_ip_octet}'])(
    'finds no fault in a template with %s',
    (placeholder) => {
      const body = createBody({ name_template: `web-${placeholder}` });

      expect(parseInput(createInstanceBodySchema, body)).toMatchObject({ ok: true });
    },
  );
});
