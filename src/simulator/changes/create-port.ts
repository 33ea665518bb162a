import type { CreateInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Port } from '../state/cloud-entities.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

type Interface = CreateInstanceBody['interfaces'][number];

/** Ranges of 240.0.0.0/4, which is reserved: these addresses belong to nobody. */
const PUBLIC_RANGE = '240.18';
const FLOATING_RANGE = '240.19';
/** The range of private networks. */
const PRIVATE_RANGE = '10.0';

/** Creates the port of an interface of a create body. */
export function createPort(world: World, item: Interface): Port {
  switch (item.type) {
    case 'external':
      return {
        portId: newId(),
        network: 'pub_net',
        addresses: nextAddresses(world, PUBLIC_RANGE, item.ip_family),
      };
    case 'any_subnet':
      return {
        portId: newId(),
        network: networkName(item.network_id),
        addresses: item.ip_address
          ? [item.ip_address]
          : nextAddresses(world, PRIVATE_RANGE, item.ip_family),
      };
    case 'subnet':
      return {
        portId: newId(),
        network: networkName(item.network_id),
        addresses: nextAddresses(world, PRIVATE_RANGE, 'ipv4'),
      };
    case 'reserved_fixed_ip':
      return {
        portId: item.port_id,
        network: 'reserved',
        addresses: nextAddresses(world, PRIVATE_RANGE, 'ipv4'),
      };
  }
}

export function nextFloatingAddress(world: World): string {
  return toIpv4(FLOATING_RANGE, world.nextNumber());
}

function nextAddresses(
  world: World,
  range: string,
  family: 'ipv4' | 'ipv6' | 'dual' | null | undefined,
): string[] {
  const number = world.nextNumber();
  const ipv6 = `2001:db8::${number.toString(16)}`;
  if (family === 'ipv6') return [ipv6];
  return family === 'dual' ? [toIpv4(range, number), ipv6] : [toIpv4(range, number)];
}

function toIpv4(range: string, number: number): string {
  return `${range}.${Math.floor(number / 254) % 256}.${(number % 254) + 1}`;
}

/** The name of a network in the addresses of an instance. */
export function networkName(networkId: string): string {
  return `network-${networkId.slice(0, 8)}`;
}
