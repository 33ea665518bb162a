/** Where ports get their addresses: looks networks and subnets up. */
import type { NetworkEntity, SubnetEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import type { Scope } from './scope.js';
import { rowsIn } from './stocked.js';

export type Subnet = Readonly<SubnetEntity>;

export interface Network extends Readonly<NetworkEntity> {
  subnets: Subnet[];
}

export function findNetwork(world: World, scope: Scope, id: string): Network | undefined {
  const network = rowsIn(world, 'networks', scope).find((row) => row.id === id);
  return network && { ...network, subnets: subnetsOf(world, network) };
}

export function findNetworkOfSubnet(world: World, scope: Scope, id: string): Network | undefined {
  const subnet = rowsIn(world, 'subnets', scope).find((row) => row.id === id);
  return subnet && findNetwork(world, scope, subnet.networkId);
}

export function subnetsOf(world: World, network: Readonly<NetworkEntity>): Subnet[] {
  return rowsIn(world, 'subnets', network).filter(({ networkId }) => networkId === network.id);
}
