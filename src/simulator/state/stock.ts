/** Seed data: images, networks and subnets that exist in every project and region. */

/** `min_disk` is in GiB, `min_ram` in MiB. */
export const IMAGES = [
  {
    id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
    name: 'ubuntu-24.04-x64',
    os_type: 'linux',
    min_disk: 10,
    min_ram: 512,
  },
  {
    id: '7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11',
    name: 'windows-server-2022',
    os_type: 'windows',
    min_disk: 50,
    min_ram: 4_096,
  },
  {
    id: '2a9f3a52-9a7e-4f26-9a40-51f1f1c6be7e',
    name: 'debian-12-x64',
    os_type: 'linux',
    min_disk: 5,
    min_ram: 256,
  },
].map((image) => ({ ...image, status: 'active', visibility: 'public', disk_format: 'qcow2' }));

const PRIVATE_NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
const OTHER_NETWORK = '9c7d5f10-1b9c-4a6c-9f6e-0d5f6a4b7c22';

export const SUBNETS = [
  { id: '1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a', name: 'private-a', network_id: PRIVATE_NETWORK },
  { id: '6e5d4c3b-2a19-4877-b665-54433221100f', name: 'other-a', network_id: OTHER_NETWORK },
].map((subnet, index) => ({ ...subnet, cidr: `10.${index}.0.0/24`, ip_version: 4 }));

export const NETWORKS = [
  { id: PRIVATE_NETWORK, name: 'private' },
  { id: OTHER_NETWORK, name: 'other' },
].map((network) => ({
  ...network,
  external: false,
  shared: false,
  type: 'vxlan',
  subnets: SUBNETS.filter(({ network_id: id }) => id === network.id).map(({ id }) => id),
}));
