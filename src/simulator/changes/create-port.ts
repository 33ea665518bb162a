import type { Fault } from '../../engine/core/failures.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { type Scope, findInScope, isInScope } from '../http/scope.js';
import type { Port } from '../state/cloud-entities.js';
import {
  findNetwork,
  findNetworkOfSubnet,
  type Network,
  type Subnet,
} from '../http/find-network.js';
import { EXTERNAL_NETWORK_ID } from '../state/catalog.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { addressIn } from './addresses.js';
import { isWithin } from './network-use.js';

type Family = 'ipv4' | 'ipv6' | 'dual' | null | undefined;

/** Where a new address comes from. */
export type AddressRequest =
  | { type: 'external'; ip_family?: Family }
  | { type: 'subnet'; subnet_id: string; network_id?: string | undefined }
  | {
      type: 'any_subnet';
      network_id: string;
      ip_address?: string | undefined;
      ip_family?: Family;
    };
/** An interface of a create or attach body. */
export type PortRequest = (AddressRequest | { type: 'reserved_fixed_ip'; port_id: string }) & {
  interface_name?: string | null | undefined;
};

export type Addresses = Pick<Port, 'networkId' | 'addresses'>;

/** Creates the port of an interface, or takes the one of a reserved address. */
export function createPort(world: World, scope: Scope, item: PortRequest): Port {
  const common = { interfaceName: item.interface_name ?? null, portSecurityEnabled: true };
  if (item.type !== 'reserved_fixed_ip') {
    return { portId: newId(), ...allocate(world, scope, item), ...common };
  }
  const kind = 'Reserved fixed IP';
  const row = findInScope(world.reservedFixedIps, scope, { kind, id: item.port_id });
  return { portId: row.id, networkId: row.networkId, addresses: row.addresses, ...common };
}

/** The next free addresses of a network, or the one that is asked for. */
export function allocate(world: World, scope: Scope, item: AddressRequest): Addresses {
  const target = findTarget(world, scope, item);
  if (!('network' in target)) throw validationError(target);
  const { network, subnets, ip } = target;
  if (ip !== undefined && isTaken(world, scope, { networkId: network.id, ip })) {
    throw conflictError(`${ip} is in use`);
  }
  const addresses = subnets.map((subnet) => ({
    ip: ip ?? nextAddress(world, scope, { network, subnet }),
    subnetId: subnet.id,
  }));
  return { networkId: network.id, addresses };
}

/** Refuses a reserved address that something has. */
export function refuseReserved(world: World, scope: Scope, id: string): void {
  const row = findInScope(world.reservedFixedIps, scope, { kind: 'Reserved fixed IP', id });
  if (row.taskId !== null || row.instanceId !== null) {
    throw conflictError(`Reserved fixed IP ${id} is not available`);
  }
}

/** What is wrong with an interface, apart from reserved addresses that are in use. */
export function faultsOfPort(world: World, scope: Scope, item: PortRequest): Fault[] {
  if (item.type === 'reserved_fixed_ip') return [];
  const target = findTarget(world, scope, item);
  return 'network' in target ? [] : target;
}

interface Target {
  network: Network;
  subnets: Subnet[];
  /** The address that the request names. */
  ip?: string;
}

function findTarget(world: World, scope: Scope, item: AddressRequest): Target | Fault[] {
  if (item.type === 'subnet') return findSubnetTarget(world, scope, item);
  const id = item.type === 'external' ? EXTERNAL_NETWORK_ID : item.network_id;
  const network = findNetwork(world, scope, id);
  if (network === undefined) return fault('network_id', `Network ${id} is not found`);
  return item.type === 'external' || item.ip_address === undefined
    ? inFamily(network, item.ip_family)
    : atAddress(network, item.ip_address);
}

function findSubnetTarget(
  world: World,
  scope: Scope,
  { subnet_id: id, network_id: networkId }: Extract<AddressRequest, { type: 'subnet' }>,
): Target | Fault[] {
  if (networkId !== undefined && findNetwork(world, scope, networkId) === undefined) {
    return fault('network_id', `Network ${networkId} is not found`);
  }
  const network = findNetworkOfSubnet(world, scope, id);
  const subnets = network?.subnets.filter((subnet) => subnet.id === id) ?? [];
  if (network === undefined) return fault('subnet_id', `Subnet ${id} is not found`);
  if (networkId !== undefined && network.id !== networkId) {
    return fault('subnet_id', `Subnet ${id} is not in network ${networkId}`);
  }
  return { network, subnets };
}

function inFamily(network: Network, family: Family): Target | Fault[] {
  const byVersion = (version: 4 | 6): Subnet[] =>
    network.subnets.filter(({ ipVersion }) => ipVersion === version).slice(0, 1);
  const [ipv4, ipv6] = [byVersion(4), byVersion(6)];
  const subnets = {
    ipv4,
    ipv6,
    dual: ipv4.length > 0 && ipv6.length > 0 ? [...ipv4, ...ipv6] : [],
  }[family ?? (ipv4.length > 0 ? 'ipv4' : 'ipv6')];
  if (subnets.length > 0) return { network, subnets };
  return family
    ? fault('ip_family', `Network ${network.id} has no subnet for ${family}`)
    : fault('network_id', `Network ${network.id} has no subnet`);
}

function atAddress(network: Network, ip: string): Target | Fault[] {
  const subnet = network.subnets.find(({ cidr }) => isWithin(ip, cidr));
  return subnet === undefined
    ? fault('ip_address', `${ip} is in no subnet of network ${network.id}`)
    : { network, subnets: [subnet], ip };
}

function fault(path: string, message: string): Fault[] {
  return [{ path, message }];
}

/** A subnet with fewer free addresses counts as full. */
const MAX_TRIES = 1000;

function nextAddress(
  world: World,
  scope: Scope,
  { network, subnet }: { network: Network; subnet: Subnet },
): string {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const ip = addressIn(subnet.cidr, world.nextNumber());
    // Public addresses are not looked for: nobody chooses one, and there are more of them than anybody takes.
    if (network.external || !isTaken(world, scope, { networkId: network.id, ip })) return ip;
  }
  throw conflictError(`Subnet ${subnet.id} has no free address`);
}

/** Whether an instance has the address, or it is reserved. */
function isTaken(
  world: World,
  scope: Scope,
  { networkId, ip }: { networkId: string; ip: string },
): boolean {
  const hasIt = (port: Addresses): boolean =>
    port.networkId === networkId && port.addresses.some((address) => address.ip === ip);
  return (
    world.instances.filter((row) => row.ports.some(hasIt) && isInScope(row, scope)).length > 0 ||
    world.reservedFixedIps.filter((row) => hasIt(row) && isInScope(row, scope)).length > 0
  );
}
