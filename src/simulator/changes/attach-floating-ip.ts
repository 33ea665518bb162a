/** Which port a floating IP leads to. */
import { conflictError, notFoundError, validationError } from '../http/cloud-error.js';
import { isInScope, type Scope } from '../http/scope.js';
import { findNetwork } from '../http/find-network.js';
import type { FloatingIpEntity } from '../state/rows.js';
import type { RowRef } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import type { Addresses } from './create-port.js';
import { refuseLocked } from './refuse-locked.js';

export type Attachment = Pick<FloatingIpEntity, 'portId' | 'fixedIpAddress' | 'instanceId'>;

export const UNATTACHED: Attachment = { portId: null, fixedIpAddress: null, instanceId: null };

interface Wanted {
  portId: string;
  /** Missing: the first IPv4 address of the port. */
  fixedIp?: string | null | undefined;
  /** The floating IP that is to be attached, when it exists. */
  floatingIpId?: string;
}

/** Where it would lead to; refuses a port or an address that cannot have it. */
export function attachmentTo(world: World, scope: Scope, wanted: Wanted): Attachment {
  const { portId, floatingIpId } = wanted;
  const { instanceId, networkId, addresses } = findPort(world, scope, portId);
  if (findNetwork(world, scope, networkId)?.external === true) {
    throw validationError([{ path: 'port_id', message: `Port ${portId} has a public address` }]);
  }
  const ipv4 = addresses.find(({ ip }) => !ip.includes(':'))?.ip;
  const fixedIp = wanted.fixedIp ?? ipv4;
  if (fixedIp === undefined || !addresses.some(({ ip }) => ip === fixedIp)) {
    const message = `Port ${portId} does not have ${fixedIp ?? 'an IPv4 address'}`;
    throw validationError([{ path: 'fixed_ip_address', message }]);
  }
  const [other] = world.floatingIps.filter(
    (row) => row.portId === portId && row.fixedIpAddress === fixedIp && row.id !== floatingIpId,
  );
  if (other !== undefined) throw conflictError(`${fixedIp} already has floating IP ${other.id}`);
  return { portId, fixedIpAddress: fixedIp, instanceId };
}

interface FoundPort extends Addresses {
  instanceId: string | null;
}

/** The port of an instance, or one that is reserved. */
export function findPort(world: World, scope: Scope, portId: string): FoundPort {
  const reserved = world.reservedFixedIps.get(portId);
  if (reserved !== undefined && isInScope(reserved, scope)) return reserved;
  const [instance] = world.instances.filter(
    (row) => isInScope(row, scope) && row.ports.some((port) => port.portId === portId),
  );
  const port = instance?.ports.find((row) => row.portId === portId);
  if (instance === undefined || port === undefined) {
    throw notFoundError(`Port ${portId} is not found`);
  }
  return { ...port, instanceId: instance.id };
}

/** What has the port is locked too: while a task works on its address, it cannot go. */
export function lockOf(world: World, { instanceId, portId }: Attachment): RowRef[] {
  const instance = instanceId === null ? undefined : world.instances.get(instanceId);
  const reserved = portId === null ? undefined : world.reservedFixedIps.get(portId);
  if (instance !== undefined) refuseLocked('Instance', instance);
  if (reserved !== undefined) refuseLocked('Reserved fixed IP', reserved);
  return [
    ...(instance === undefined ? [] : [{ rows: 'instances' as const, id: instance.id }]),
    ...(reserved === undefined ? [] : [{ rows: 'reservedFixedIps' as const, id: reserved.id }]),
  ];
}

/** The floating IPs of a port, free for the task that takes the port away. */
export function floatingIpsOf(world: World, portId: string): RowRef[] {
  const rows = world.floatingIps.filter((row) => row.portId === portId);
  for (const row of rows) refuseLocked('Floating IP', row);
  return rows.map(({ id }) => ({ rows: 'floatingIps', id }));
}
