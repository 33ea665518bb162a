import { z } from 'zod';

import { conflictError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { InstanceEntity } from '../state/rows.js';
import { changeOf, startChange } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { RowRef } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { floatingIpsOf, UNATTACHED } from './attach-floating-ip.js';
import { createProfile } from './change-ddos-profile.js';
import { createPort, refuseReserved } from './create-port.js';
import { refuseLocked } from './refuse-locked.js';

const common = {
  interface_name: z.string().max(37).nullish(),
  // Bare metal only.
  port_group: z.number().int().optional(),
  security_groups: z.array(z.strictObject({ id: z.string() })).nullish(),
  ddos_profile: z.looseObject({ profile_template: z.number().int() }).nullish(),
};
const familySchema = z.enum(['dual', 'ipv4', 'ipv6']).nullish();

const attachBodySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('external'), ip_family: familySchema, ...common }),
  z.strictObject({
    type: z.literal('subnet'),
    subnet_id: z.string(),
    network_id: z.string().optional(),
    ...common,
  }),
  z.strictObject({
    type: z.literal('any_subnet'),
    network_id: z.string(),
    ip_family: familySchema,
    ...common,
  }),
  z.strictObject({ type: z.literal('reserved_fixed_ip'), port_id: z.string(), ...common }),
]);

/** `type` may be left out: the id that is given tells it. */
function withType(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || 'type' in json) return json;
  if ('port_id' in json) return { ...json, type: 'reserved_fixed_ip' };
  if ('subnet_id' in json) return { ...json, type: 'subnet' };
  return { ...json, type: 'network_id' in json ? 'any_subnet' : 'external' };
}

type Instance = Readonly<InstanceEntity>;

interface Request {
  json: unknown;
  mutation: Mutation;
}

/** `POST …/{instance_id}/attach_interface`. Returns the ids of its tasks: a DDoS profile has its own. */
export function attachInterface(
  world: World,
  instance: Instance,
  { json, mutation }: Request,
): string[] {
  const body = parseRequest(world, attachBodySchema, withType(json));
  refuseLocked('Instance', instance);
  if (body.type === 'reserved_fixed_ip') refuseReserved(world, mutation, body.port_id);
  const port = createPort(world, mutation, body);
  const ports = [...instance.ports, port];
  const reserved = reservedOf(world, port.portId);
  const floatingIps = floatingIpsOf(world, port.portId);
  const change = { instanceId: instance.id };
  const profile = body.ddos_profile && { ...body.ddos_profile, ip_address: port.addresses[0]?.ip };
  const profileTasks = profile ? [createProfile(world, profile, mutation)] : [];
  const attached = startChange(world, mutation, {
    kind: 'attach_vm_interface',
    data: { ...body, instance_id: instance.id },
    locked: [{ rows: 'instances', id: instance.id }, ...reserved, ...floatingIps],
    done: [
      changeOf('instances', instance.id, { ports }),
      ...reserved.map(({ id }) => changeOf('reservedFixedIps', id, change)),
      ...floatingIps.map(({ id }) => changeOf('floatingIps', id, change)),
    ],
    created: { ports: reserved.length > 0 ? [] : [port.portId] },
  });
  return [attached, ...profileTasks];
}

function reservedOf(world: World, portId: string): RowRef[] {
  const reserved = world.reservedFixedIps.get(portId);
  if (reserved === undefined) return [];
  refuseLocked('Reserved fixed IP', reserved);
  return [{ rows: 'reservedFixedIps', id: portId }];
}

const detachBodySchema = z.strictObject({ port_id: z.string(), ip_address: z.string() });

/** `POST …/{instance_id}/detach_interface`. Returns the id of its task. */
export function detachInterface(
  world: World,
  instance: Instance,
  { json, mutation }: Request,
): string {
  const body = parseRequest(world, detachBodySchema, json);
  refuseLocked('Instance', instance);
  const port = instance.ports.find(({ portId }) => portId === body.port_id);
  if (port === undefined) {
    throw conflictError(`Port ${body.port_id} is not attached to instance ${instance.id}`);
  }
  if (!port.addresses.some(({ ip }) => ip === body.ip_address)) {
    const message = `Port ${port.portId} does not have ${body.ip_address}`;
    throw validationError([{ path: 'ip_address', message }]);
  }
  const reserved = reservedOf(world, port.portId);
  const floatingIps = floatingIpsOf(world, port.portId);
  const ports = instance.ports.filter(({ portId }) => portId !== port.portId);
  // A reserved address keeps its port, and with it its floating IPs.
  const left = reserved.length > 0 ? { instanceId: null } : UNATTACHED;
  return startChange(world, mutation, {
    kind: 'detach_vm_interface',
    data: { ...body, instance_id: instance.id },
    locked: [{ rows: 'instances', id: instance.id }, ...reserved, ...floatingIps],
    done: [
      changeOf('instances', instance.id, { ports }),
      ...reserved.map(({ id }) => changeOf('reservedFixedIps', id, { instanceId: null })),
      ...floatingIps.map(({ id }) => changeOf('floatingIps', id, left)),
    ],
  });
}
