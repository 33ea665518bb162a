import { createHash } from 'node:crypto';

import type { Port } from '../state/cloud-entities.js';
import type { ReservedFixedIpEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { formatFloatingIp } from './format-floating-ip.js';
import { formatNetwork, formatNetworkDetails } from './format-network.js';
import type { Scope } from './scope.js';
import { findStocked } from './stocked.js';
import { formatOwner, formatUpdated } from './wire-parts.js';

export type ReservedFixedIpObject = ReturnType<typeof formatReservedFixedIp>;

/** The wire form of an interface of an instance. */
export function formatInterface(world: World, scope: Scope, port: Readonly<Port>) {
  return {
    port_id: port.portId,
    interface_name: port.interfaceName,
    mac_address: macOf(port.portId),
    port_security_enabled: port.portSecurityEnabled,
    network_id: port.networkId,
    network_details: formatNetworkDetails(world, networkOf(world, scope, port)),
    ip_assignments: port.addresses.map(({ ip, subnetId }) => ({
      ip_address: ip,
      subnet_id: subnetId,
    })),
    floatingip_details: world.floatingIps
      .filter(({ portId }) => portId === port.portId)
      .map(formatFloatingIp),
    allowed_address_pairs: [],
  };
}

/** Locally administered, and always the same for a port. */
function macOf(portId: string): string {
  const digits = createHash('sha256').update(portId).digest('hex').slice(0, 10);
  return `02${digits}`.replace(/(..)(?!$)/g, '$1:');
}

export function formatReservedFixedIp(world: World, row: Readonly<ReservedFixedIpEntity>) {
  const { id: portId, ...owner } = formatOwner(row);
  const network = networkOf(world, row, row);
  return {
    ...owner,
    port_id: portId,
    updated_at: formatUpdated(row),
    name: nameOf(row),
    ...formatAddresses(row),
    is_external: network.external,
    is_vip: row.isVip,
    network_id: row.networkId,
    network: formatNetwork(world, network),
    allowed_address_pairs: [],
    ...formatUse(row),
  };
}

/** A network with ports cannot be deleted. */
function networkOf(world: World, scope: Scope, { networkId: id }: { networkId: string }) {
  return findStocked(world, 'networks', { scope, name: 'Network', id });
}

function formatAddresses(row: Readonly<ReservedFixedIpEntity>) {
  const { ipv4, ipv6 } = familiesOf(row);
  return {
    fixed_ip_address: ipv4?.ip ?? null,
    subnet_id: ipv4?.subnetId ?? null,
    fixed_ipv6_address: ipv6?.ip ?? null,
    subnet_v6_id: ipv6?.subnetId ?? null,
  };
}

function formatUse({ instanceId }: Readonly<ReservedFixedIpEntity>) {
  if (instanceId === null) {
    const reservation = { status: 'available', resource_type: null, resource_id: null };
    return { status: 'DOWN', attachments: [], reservation };
  }
  const user = { resource_type: 'instance', resource_id: instanceId };
  return { status: 'ACTIVE', attachments: [user], reservation: { status: 'attached', ...user } };
}

export function familiesOf({ addresses }: Pick<ReservedFixedIpEntity, 'addresses'>) {
  return {
    ipv4: addresses.find(({ ip }) => !ip.includes(':')),
    ipv6: addresses.find(({ ip }) => ip.includes(':')),
  };
}

export function nameOf(row: Pick<ReservedFixedIpEntity, 'addresses'>): string {
  return `Reserved fixed ip ${row.addresses.map(({ ip }) => ip).join(' ')}`;
}
