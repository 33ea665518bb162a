import { z } from 'zod';

import { conflictError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { ReservedFixedIpEntity } from '../state/rows.js';
import { changeOf, newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import { type Mutation, newId } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { findPort, floatingIpsOf, UNATTACHED } from './attach-floating-ip.js';
import { type Addresses, allocate } from './create-port.js';
import { refuseLocked } from './refuse-locked.js';

const familySchema = z.enum(['dual', 'ipv4', 'ipv6']).nullish();
const isVip = z.boolean().default(false);

const bodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('external'), ip_family: familySchema, is_vip: isVip }),
  z.strictObject({ type: z.literal('subnet'), subnet_id: z.string(), is_vip: isVip }),
  z.strictObject({
    type: z.literal('any_subnet'),
    network_id: z.string(),
    ip_family: familySchema,
    is_vip: isVip,
  }),
  z.strictObject({
    type: z.literal('ip_address'),
    network_id: z.string(),
    ip_address: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }),
    is_vip: isVip,
  }),
  z.strictObject({ type: z.literal('port'), port_id: z.string() }),
]);
type Body = z.infer<typeof bodySchema>;

/** `POST /cloud/v1/reserved_fixed_ips/{project_id}/{region_id}`. Returns the id of its task. */
export function reserveFixedIp(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, bodySchema, json);
  const { networkId, addresses, instanceId, portId } = placeOf(world, body, mutation);
  const isVipNow = 'is_vip' in body && body.is_vip;
  const place = { networkId, addresses, instanceId, tags: {} };
  return startCreation(world, mutation, {
    kind: 'create_reserved_fixed_ip',
    rows: 'reservedFixedIps',
    row: { ...newRow(world, mutation), ...place, id: portId, isVip: isVipNow },
    data: { ...body, port_id: portId },
    created: { ports: [portId] },
  });
}

interface ReservedPlace extends Addresses {
  portId: string;
  instanceId: string | null;
}

/** Where the address is: a new port, or that of an instance, which keeps it. */
function placeOf(world: World, body: Body, mutation: Mutation): ReservedPlace {
  if (body.type === 'port') {
    const { port_id: portId } = body;
    if (world.reservedFixedIps.get(portId) !== undefined) {
      throw conflictError(`Port ${portId} is reserved`);
    }
    return { portId, ...findPort(world, mutation, portId) };
  }
  const request = body.type === 'ip_address' ? { ...body, type: 'any_subnet' as const } : body;
  return { portId: newId(), instanceId: null, ...allocate(world, mutation, request) };
}

const patchBodySchema = z.strictObject({ is_vip: z.boolean() });

export function patchReservedFixedIp(
  world: World,
  row: Readonly<ReservedFixedIpEntity>,
  json: unknown,
): void {
  const { is_vip: isVipNow } = parseRequest(world, patchBodySchema, json);
  world.reservedFixedIps.update(row.id, { isVip: isVipNow, updatedAt: world.now() });
}

/** Only what no instance has can be given back. */
export function releaseFixedIp(
  world: World,
  row: Readonly<ReservedFixedIpEntity>,
  mutation: Mutation,
): string {
  refuseLocked('Reserved fixed IP', row);
  if (row.instanceId !== null) {
    throw conflictError(`Reserved fixed IP ${row.id} is attached to instance ${row.instanceId}`);
  }
  const floatingIps = floatingIpsOf(world, row.id);
  return startChange(world, mutation, {
    kind: 'delete_reserved_fixed_ip',
    data: { port_id: row.id },
    locked: [{ rows: 'reservedFixedIps', id: row.id }, ...floatingIps],
    done: [
      removalOf('reservedFixedIps', row.id),
      ...floatingIps.map(({ id }) => changeOf('floatingIps', id, UNATTACHED)),
    ],
  });
}
