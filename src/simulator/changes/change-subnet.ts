import { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import { conflictError, notFoundError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { findStocked, refuseStock, rowsIn } from '../http/stocked.js';
import { newTagsShape, patchTags, tagsPatchSchema } from '../http/tags.js';
import type { SubnetEntity } from '../state/rows.js';
import { newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';
import { addressesIn, firstGateway, isNetworkRange, isWithin, overlap } from './network-use.js';

const addressSchema = z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' });
const RANGE = { error: 'must be an address range without host bits, such as 10.0.0.0/24' };
const rangeSchema = z.union([z.cidrv4(), z.cidrv6()], RANGE).refine(isNetworkRange, RANGE);
const nameSchema = z.string().min(1).max(255);

/** What a create and a patch have in common. */
const settingsShape = {
  dns_nameservers: z.array(addressSchema).nullable().optional(),
  enable_dhcp: z.boolean().optional(),
  gateway_ip: addressSchema.nullable().optional(),
  host_routes: z
    .array(z.strictObject({ destination: rangeSchema, nexthop: addressSchema }))
    .nullable()
    .optional(),
};

const createBodySchema = z
  .strictObject({
    ...settingsShape,
    cidr: rangeSchema,
    name: nameSchema,
    network_id: z.string(),
    connect_to_network_router: z.boolean().default(true),
    ip_version: z.literal([4, 6]).optional(),
    router_id_to_connect: z.string().nullable().default(null),
    ...newTagsShape,
  })
  .refine((body) => body.gateway_ip !== null || !body.connect_to_network_router, {
    path: ['connect_to_network_router'],
    error: 'must be false when "gateway_ip" is null',
  })
  .refine((body) => body.router_id_to_connect === null || body.connect_to_network_router, {
    path: ['router_id_to_connect'],
    error: 'requires "connect_to_network_router"',
  });
type CreateBody = z.infer<typeof createBodySchema>;

const patchBodySchema = z.strictObject({
  ...settingsShape,
  name: nameSchema.nullable().optional(),
  tags: tagsPatchSchema.optional(),
});

export function createSubnet(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, createBodySchema, json);
  const wanted = { scope: mutation, name: 'Network', id: body.network_id };
  const network = findStocked(world, 'networks', wanted);
  refuseLocked('Network', network);
  if (network.external || network.shared) {
    throw conflictError(`Network ${network.id} belongs to another project`);
  }
  const row: SubnetEntity = {
    ...newRow(world, mutation),
    networkId: network.id,
    name: body.name,
    cidr: body.cidr,
    ipVersion: body.cidr.includes(':') ? 6 : 4,
    enableDhcp: body.enable_dhcp ?? true,
    gatewayIp: body.gateway_ip === undefined ? firstGateway(body.cidr) : body.gateway_ip,
    dnsNameservers: body.dns_nameservers ?? [],
    hostRoutes: body.host_routes ?? [],
    tags: { ...body.metadata, ...body.tags },
    updatedAt: world.now(),
  };
  refuseFaults([...faultsOf(world, body, row), ...gatewayFaults(row)]);
  refuseUnknownRouter(world, body, mutation);
  return startCreation(world, mutation, {
    kind: 'create_subnet',
    rows: 'subnets',
    row,
    data: { ...body },
    created: { subnets: [row.id] },
  });
}

/** Changes a subnet immediately. */
export function patchSubnet(world: World, subnet: Readonly<SubnetEntity>, json: unknown): void {
  const body = parseRequest(world, patchBodySchema, json);
  refuseStock('subnets', subnet);
  refuseLocked('Subnet', subnet);
  const row: SubnetEntity = {
    ...subnet,
    name: body.name ?? subnet.name,
    enableDhcp: body.enable_dhcp ?? subnet.enableDhcp,
    gatewayIp: body.gateway_ip === undefined ? subnet.gatewayIp : body.gateway_ip,
    dnsNameservers:
      body.dns_nameservers === undefined ? subnet.dnsNameservers : (body.dns_nameservers ?? []),
    hostRoutes: body.host_routes === undefined ? subnet.hostRoutes : (body.host_routes ?? []),
    tags: patchTags(subnet.tags, body.tags),
    updatedAt: world.now(),
  };
  refuseFaults(gatewayFaults(row));
  world.subnets.update(subnet.id, row);
}

export function deleteSubnet(
  world: World,
  subnet: Readonly<SubnetEntity>,
  mutation: Mutation,
): string {
  const { id } = subnet;
  refuseStock('subnets', subnet);
  refuseLocked('Subnet', subnet);
  const [used] = addressesIn(world, subnet);
  if (used !== undefined) throw conflictError(`Address ${used} of subnet ${id} is in use`);
  return startChange(world, mutation, {
    kind: 'delete_subnet',
    data: { subnet_id: id },
    locked: [{ rows: 'subnets', id }],
    done: [removalOf('subnets', id)],
  });
}

function faultsOf(world: World, body: CreateBody, row: SubnetEntity): Fault[] {
  const faults: Fault[] = [];
  if (body.ip_version !== undefined && body.ip_version !== row.ipVersion) {
    faults.push({ path: 'ip_version', message: `${row.cidr} is of version ${row.ipVersion}` });
  }
  const other = rowsIn(world, 'subnets', row).find(
    (subnet) => subnet.networkId === row.networkId && overlap(subnet.cidr, row.cidr),
  );
  if (other) faults.push({ path: 'cidr', message: `overlaps ${other.cidr} of subnet ${other.id}` });
  return faults;
}

function gatewayFaults({ gatewayIp, cidr }: SubnetEntity): Fault[] {
  if (gatewayIp === null || isWithin(gatewayIp, cidr)) return [];
  return [{ path: 'gateway_ip', message: `${gatewayIp} is not in ${cidr}` }];
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationError(faults);
}

/** The simulator has no routers but those of networks. */
function refuseUnknownRouter(
  world: World,
  { router_id_to_connect: id }: CreateBody,
  mutation: Mutation,
): void {
  if (id === null) return;
  const isKnown = rowsIn(world, 'networks', mutation).some(({ routerId }) => routerId === id);
  if (!isKnown) throw notFoundError(`Router ${id} is not found`);
}
