/** Seed data: what exists in every project and region, and belongs to nobody. */
import { EXTERNAL_NETWORK_ID } from './catalog.js';
import type {
  ImageEntity,
  NetworkEntity,
  Rows,
  SecurityGroupEntity,
  SubnetEntity,
} from './rows.js';
import { defaultRules } from './security-group-rules.js';
import { stockId } from './stock-id.js';

type Scope = Pick<NetworkEntity, 'projectId' | 'regionId'>;

const MADE_AT = Date.parse('2024-01-15T08:00:00Z');
const GIB = 1024 ** 3;

const IMAGES = [
  {
    id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
    name: 'ubuntu-24.04-x64',
    osType: 'linux',
    osDistro: 'ubuntu',
    osVersion: '24.04',
    minDisk: 10,
    minRam: 512,
  },
  {
    id: '7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11',
    name: 'windows-server-2022',
    osType: 'windows',
    osDistro: 'windows',
    osVersion: '2022',
    minDisk: 50,
    minRam: 4_096,
  },
  {
    id: '2a9f3a52-9a7e-4f26-9a40-51f1f1c6be7e',
    name: 'debian-12-x64',
    osType: 'linux',
    osDistro: 'debian',
    osVersion: '12',
    minDisk: 5,
    minRam: 256,
  },
] as const;

const PRIVATE_NETWORK = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
const OTHER_NETWORK = '9c7d5f10-1b9c-4a6c-9f6e-0d5f6a4b7c22';
const SHARED_NETWORK = '3f6a1c8e-9b2d-4e57-8a40-6c1d2e3f4a5b';

/** Networks of the project, one that another project shares, and the public one of the region. */
function networks(scope: Scope): NetworkEntity[] {
  const common = {
    ...stockRow(scope),
    type: 'vxlan',
    external: false,
    shared: false,
    routerId: null,
  } as const;
  return [
    { ...common, id: PRIVATE_NETWORK, name: 'private', segmentationId: 1001 },
    { ...common, id: OTHER_NETWORK, name: 'other', segmentationId: 1002 },
    { ...common, id: SHARED_NETWORK, name: 'shared', segmentationId: 1003, shared: true },
    {
      ...common,
      id: EXTERNAL_NETWORK_ID,
      name: 'pub_net',
      type: 'vlan',
      segmentationId: 100,
      external: true,
    },
  ];
}

/** The public ranges belong to nobody: of 240.0.0.0/4, which is reserved, and of the documentation of IPv6. */
const SUBNETS = [
  {
    id: '1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a',
    name: 'private-a',
    networkId: PRIVATE_NETWORK,
    cidr: '10.0.0.0/24',
    gatewayIp: '10.0.0.1',
  },
  {
    id: '6e5d4c3b-2a19-4877-b665-54433221100f',
    name: 'other-a',
    networkId: OTHER_NETWORK,
    cidr: '10.1.0.0/24',
    gatewayIp: '10.1.0.1',
  },
  {
    id: '7a8b9c0d-1e2f-4a3b-9c4d-5e6f7a8b9c0d',
    name: 'shared-a',
    networkId: SHARED_NETWORK,
    cidr: '10.2.0.0/24',
    gatewayIp: '10.2.0.1',
  },
  {
    id: 'c1a3f0de-52b4-4f6c-8a77-9e8d7c6b5a40',
    name: 'pub_subnet',
    networkId: EXTERNAL_NETWORK_ID,
    cidr: '240.18.0.0/16',
    gatewayIp: null,
  },
  {
    id: 'd2b4e1cf-63c5-4e7d-9b88-af9e8d7c6b51',
    name: 'pub_subnet_v6',
    networkId: EXTERNAL_NETWORK_ID,
    cidr: '2001:db8::/64',
    gatewayIp: null,
  },
] as const;

function subnets(scope: Scope): SubnetEntity[] {
  return SUBNETS.map((subnet) => ({
    ...stockRow(scope),
    ...subnet,
    ipVersion: subnet.cidr.includes(':') ? 6 : 4,
    enableDhcp: true,
    dnsNameservers: [],
    hostRoutes: [],
  }));
}

function images(scope: Scope): ImageEntity[] {
  return IMAGES.map((image) => ({
    ...stockRow(scope),
    ...image,
    activeAt: MADE_AT,
    visibility: 'public',
    architecture: 'x86_64',
    diskFormat: 'qcow2',
    size: image.minDisk * GIB,
    firmwareType: null,
    machineType: null,
    isBaremetal: false,
    sshKey: image.osType === 'windows' ? 'deny' : 'allow',
  }));
}

function securityGroups(scope: Scope): SecurityGroupEntity[] {
  const id = defaultGroupId(scope);
  return [
    {
      ...stockRow(scope),
      id,
      name: 'default',
      description: 'Default security group',
      rules: defaultRules(MADE_AT, (name) => stockId(id, name)),
      revision: 1,
    },
  ];
}

export function defaultGroupId({ projectId, regionId }: Scope): string {
  return stockId('default security group', projectId, regionId);
}

function stockRow({ projectId, regionId }: Scope) {
  return {
    projectId,
    regionId,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
    listedAt: MADE_AT,
    creatorTaskId: null,
    taskId: null,
    tags: {},
  };
}

/**
 * What is there without being kept, so a new project and a state without any row have it too. An id is
 * the same in each place, except that of a security group: a group may be changed, and is then kept.
 */
export const STOCK: { readonly [K in StockKind]: (scope: Scope) => readonly Rows[K][] } = {
  networks: perPlace(networks),
  subnets: perPlace(subnets),
  images: perPlace(images),
  securityGroups: perPlace(securityGroups),
};

/** Makes the rows of a place once: a list of instances asks for them with every row. */
function perPlace<T>(rowsIn: (scope: Scope) => T[]): (scope: Scope) => readonly T[] {
  const made = new Map<string, T[]>();
  return (scope) => {
    const place = `${scope.projectId}/${scope.regionId}`;
    const rows = made.get(place) ?? rowsIn(scope);
    made.set(place, rows);
    return rows;
  };
}
export type StockKind = 'networks' | 'subnets' | 'images' | 'securityGroups';
