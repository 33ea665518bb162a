import type { ProvisionInstanceInput } from '../../../src/contract/operations/types.js';
import { badInputsOf, type BadInput } from './bad-input.js';
import { provisionInput } from './provision-input.js';

type Instance = ProvisionInstanceInput['instance'];
type Volume = Instance['volumes'][number];

const IMAGE = 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';
export const WINDOWS = '7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11';
export const NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
const SUBNET = '1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a';
const OTHER_SUBNET = '6e5d4c3b-2a19-4877-b665-54433221100f';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const image = (change: object = {}) => ({
  source: 'image',
  image_id: IMAGE,
  size: 20,
  boot_index: 0,
  ...change,
});

const top = badInputsOf('provisionInstance', provisionInput());

const bad = (name: string, instance: object, [path, says]: [string, RegExp]): BadInput => {
  const change = { instance: { ...provisionInput().instance, ...instance } };
  return top(name, change, [path.startsWith('!') ? path.slice(1) : `instance.${path}`, says]);
};

const withVolume = (volume: unknown) => ({ volumes: [volume] });
const withInterface = (item: unknown) => ({ interfaces: [item] });

/** They break the schema or a rule between fields, so the worker refuses them without a call. */
const BROKEN: readonly BadInput[] = [
  bad('no flavor', { flavor: undefined }, ['flavor', /missing/]),
  bad('an empty flavor', { flavor: '' }, ['flavor', /empty/]),
  bad('no interfaces', { interfaces: [] }, ['interfaces', /at least one/]),
  bad('no volumes', { volumes: [] }, ['volumes', /at least one/]),
  bad('101 volumes', { volumes: Array(101).fill(image()) }, ['volumes', /at most 100 volumes/]),
  bad('a short name', { name: 'w' }, ['name', /3 to 63/]),
  bad('a name with a slash', { name: 'web/1' }, ['name', /letters, digits/]),
  bad('a name and a template', { name_template: 'web-{ip_octets}' }, ['name_template', /one of/]),
  bad('an unknown placeholder', { name: undefined, name_template: 'web-{ip}' }, [
    'name_template',
    /two_ip_octets/,
  ]),
  bad('a user without a password', { username: 'ada' }, ['username', /password/]),
  bad('user_data that is not base64', { user_data: '#!/bin/sh' }, ['user_data', /base64/]),
  bad('a misspelt field', { pasword: 'x' }, ['pasword', /not a known field/]),
  bad('a server group by its name', { servergroup_id: 'web' }, ['servergroup_id', /UUID/]),
  bad('the marker as a tag', { tags: { 'workflow-request': 'x' } }, ['tags', /workflow-request/]),
  bad('a tag with a space in its key', { tags: { 'a b': 'x' } }, ['tags.a b', /white space/]),
  bad('an empty tag', { tags: { team: '' } }, ['tags.team', /1 to 255/]),
  bad('an unknown volume', withVolume({ source: 'disk' }), ['volumes[0].source', /must be one of/]),
  bad('a volume of size 0', withVolume(image({ size: 0 })), ['volumes[0].size', /GiB/]),
  bad('a fractional size', withVolume(image({ size: 1.5 })), ['volumes[0].size', /whole/]),
  bad('an image by its name', withVolume(image({ image_id: 'ubuntu' })), [
    'volumes[0].image_id',
    /UUID/,
  ]),
  bad('an unknown type of volume', withVolume(image({ type_name: 'fast' })), [
    'volumes[0].type_name',
    /./,
  ]),
  bad('a bootable empty volume', withVolume({ source: 'new-volume', size: 5, boot_index: 0 }), [
    'volumes[0].boot_index',
    /not a known field/,
  ]),
  bad('a snapshot without a size', withVolume({ source: 'snapshot', snapshot_id: NOWHERE }), [
    'volumes[0].size',
    /missing/,
  ]),
  bad('an unknown interface', withInterface({ type: 'public' }), ['interfaces[0].type', /one of/]),
  bad('a port group', withInterface({ type: 'external', port_group: 0 }), [
    'interfaces[0].port_group',
    /not a known field/,
  ]),
  bad('a subnet without its network', withInterface({ type: 'subnet', subnet_id: SUBNET }), [
    'interfaces[0].network_id',
    /UUID|missing/,
  ]),
  bad(
    'a floating IP of an external interface',
    withInterface({ type: 'external', floating_ip: { source: 'new' } }),
    ['interfaces[0].floating_ip', /not a known field/],
  ),
  top('a project by its name', { projectId: 'mine' }, ['projectId', /number/]),
  top('a region of 0', { regionId: 0 }, ['regionId', /above 0/]),
  top('a deadline without a unit', { deadline: '30' }, ['deadline', /unit/]),
  top('a field name of the API', { project_id: 1 }, ['project_id', /not a known field/]),
  top('an empty alternative', { alternatives: [{}] }, ['alternatives[0]', /needs/]),
];

/** Well-formed, but the state of the API rules them out. */
const IMPOSSIBLE: readonly BadInput[] = [
  bad('an unknown flavor', { flavor: 'g2-standard-2-5' }, ['flavor', /g2-standard-2-4/]),
  bad('an unknown image', withVolume(image({ image_id: NOWHERE })), [
    'volumes[0].image_id',
    /no image/,
  ]),
  bad('a volume smaller than its image', withVolume(image({ size: 5 })), [
    'volumes[0].size',
    /at least 10 GiB/,
  ]),
  bad(
    'a flavor with too little memory',
    { flavor: 'g1-standard-1-2', volumes: [image({ image_id: WINDOWS, size: 60 })] },
    ['flavor', /4096/],
  ),
  bad(
    'a user on Windows',
    {
      username: 'ada',
      password: 'canary-secret',
      volumes: [image({ image_id: WINDOWS, size: 60 })],
    },
    ['username', /Admin/],
  ),
  bad(
    'user data beside a password on Linux',
    { password: 'canary-secret', user_data: 'IyEvYmluL3No' },
    ['user_data', /ignored/],
  ),
  bad('an unknown existing volume', withVolume({ source: 'existing-volume', volume_id: NOWHERE }), [
    'volumes[0].volume_id',
    /no volume/,
  ]),
  bad('two volumes that boot first', { volumes: [image(), image()] }, [
    'volumes[1].boot_index',
    /another volume/,
  ]),
  bad('an unknown network', withInterface({ type: 'any_subnet', network_id: NOWHERE }), [
    'interfaces[0].network_id',
    /no network/,
  ]),
  bad(
    'an unknown subnet',
    withInterface({ type: 'subnet', network_id: NETWORK, subnet_id: NOWHERE }),
    ['interfaces[0].subnet_id', /no subnet/],
  ),
  bad(
    'a subnet of another network',
    withInterface({ type: 'subnet', network_id: NETWORK, subnet_id: OTHER_SUBNET }),
    ['interfaces[0].subnet_id', /belongs to network/],
  ),
  bad(
    'an unknown floating IP',
    withInterface({
      type: 'any_subnet',
      network_id: NETWORK,
      floating_ip: { source: 'existing', existing_floating_id: NOWHERE },
    }),
    ['interfaces[0].floating_ip.existing_floating_id', /no floating IP/],
  ),
  bad('an unknown key', { ssh_key_name: 'nobody' }, ['ssh_key_name', /POST .cloud.v1.ssh_keys/]),
  bad('a key for storages', { ssh_key_name: 'ingest' }, [
    'ssh_key_name',
    /registry for SFTP storage/,
  ]),
  bad('more than a quota', { flavor: 'g2-standard-8-16' }, ['!instance', /cpu_count.*of 4/]),
  top('an unknown project', { projectId: 99 }, ['projectId', /1, 2/]),
  top('an unknown region', { regionId: 99 }, ['regionId', /1, 2, 76/]),
  top('an unknown region as an alternative', { alternatives: [{ regionId: 99 }] }, [
    'alternatives[0].regionId',
    /1, 2, 76/,
  ]),
  top('an unknown flavor as an alternative', { alternatives: [{ flavor: 'huge' }] }, [
    'alternatives[0].flavor',
    /The nearest names/,
  ]),
];

const access = badInputsOf('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] });
const keys = badInputsOf('listSshKeys', {});

/** Faults that only the API can show are in `plans.sim.test.ts`. */
export const BAD_GRANT_ACCESS_INPUTS: readonly BadInput[] = [
  access('no key name', { keyNames: [] }, ['keyNames', /at least one name/]),
  access('a name with a space', { keyNames: ['my key'] }, ['keyNames[0]', /letters, digits/]),
  access('a storage by its name', { storageId: 'films' }, ['storageId', /number/]),
];

export const BAD_LIST_KEYS_INPUTS: readonly BadInput[] = [
  keys('an empty filter', { name: '' }, ['name', /list all keys/]),
];

export const BAD_PROVISION_INPUTS: readonly BadInput[] = [...BROKEN, ...IMPOSSIBLE];

/** A volume that the schema accepts. */
export function bootVolume(change: Partial<Extract<Volume, { source: 'image' }>> = {}): Volume {
  return { source: 'image', image_id: IMAGE, size: 20, boot_index: 0, ...change };
}
