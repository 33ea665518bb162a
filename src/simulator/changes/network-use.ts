/** Which ports use a network or a subnet, and what its range says. */
import ipaddr from 'ipaddr.js';

import { isInScope } from '../http/scope.js';
import type { Port } from '../state/cloud-entities.js';
import type { NetworkEntity, SubnetEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

/** Ports of instances and of reserved addresses in the network. A port that is both counts once. */
export function portsOf(
  world: World,
  network: Readonly<Pick<NetworkEntity, 'id' | 'projectId' | 'regionId'>>,
): Pick<Port, 'networkId' | 'addresses'>[] {
  const instances = world.instances.filter((row) => isInScope(row, network));
  const reserved = world.reservedFixedIps.filter(
    (row) => isInScope(row, network) && row.instanceId === null,
  );
  return [...instances.flatMap(({ ports }) => ports), ...reserved].filter(
    ({ networkId }) => networkId === network.id,
  );
}

/** Addresses of the subnet that ports have. */
export function addressesIn(world: World, subnet: Readonly<SubnetEntity>): string[] {
  return portsOf(world, { ...subnet, id: subnet.networkId })
    .flatMap(({ addresses }) => addresses)
    .filter(({ subnetId }) => subnetId === subnet.id)
    .map(({ ip }) => ip);
}

export function isWithin(address: string, cidr: string): boolean {
  const [range, length] = ipaddr.parseCIDR(cidr);
  const parsed = ipaddr.parse(address);
  return parsed.kind() === range.kind() && parsed.match(range, length);
}

/** Of two ranges that share an address, one has the first address of the other. */
export function overlap(one: string, other: string): boolean {
  return isWithin(firstAddress(one), other) || isWithin(firstAddress(other), one);
}

function firstAddress(cidr: string): string {
  const [range] = ipaddr.parseCIDR(cidr);
  return range.toString();
}

/** Without the addresses of the network and of its broadcast. Null for IPv6: no number is that large. */
export function addressCount(cidr: string): number | null {
  const [range, length] = ipaddr.parseCIDR(cidr);
  return range.kind() === 'ipv6' ? null : Math.max(2 ** (32 - length) - 2, 0);
}

/** The first address after that of the network; null when the range has no room for it. */
export function firstGateway(cidr: string): string | null {
  const [range, length] = ipaddr.parseCIDR(cidr);
  if (range.toByteArray().length * 8 - length < 2) return null;
  const octets = range.toByteArray();
  octets[octets.length - 1] = (octets.at(-1) ?? 0) + 1;
  return ipaddr.fromByteArray(octets).toString();
}

/** Whether the host bits of a range are zero, as in `10.0.0.0/24`. */
export function isNetworkRange(cidr: string): boolean {
  const kind = cidr.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return kind.networkAddressFromCIDR(cidr).toString() === firstAddress(cidr);
}
