import type { NetworkEntity, SubnetEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { addressesIn, addressCount } from '../changes/network-use.js';
import { subnetsOf } from './find-network.js';
import { formatOwner, formatTags, toUtc } from './wire-parts.js';

export type NetworkObject = ReturnType<typeof formatNetwork>;
export type SubnetObject = ReturnType<typeof formatSubnet>;

const MTU = 1450;

export function formatNetwork(world: World, network: Readonly<NetworkEntity>) {
  const isForeign = network.external || network.shared;
  return {
    ...formatOwner(network),
    project_id: isForeign ? null : network.projectId,
    name: network.name,
    type: network.type,
    segmentation_id: network.segmentationId,
    mtu: MTU,
    default: null,
    external: network.external,
    shared: network.shared,
    port_security_enabled: true,
    subnets: subnetsOf(world, network).map(({ id }) => id),
    tags: formatTags(network.tags),
    metadata: formatTags(network.tags),
    updated_at: toUtc(network.updatedAt),
  };
}

/** With whole subnets, as interfaces show it. */
export function formatNetworkDetails(world: World, network: Readonly<NetworkEntity>) {
  const subnets = subnetsOf(world, network).map((subnet) => formatSubnet(world, subnet));
  return { ...formatNetwork(world, network), subnets };
}

export function formatSubnet(world: World, subnet: Readonly<SubnetEntity>) {
  const total = addressCount(subnet.cidr);
  const used = addressesIn(world, subnet).length + (subnet.gatewayIp === null ? 0 : 1);
  return {
    ...formatOwner(subnet),
    network_id: subnet.networkId,
    name: subnet.name,
    cidr: subnet.cidr,
    ip_version: subnet.ipVersion,
    enable_dhcp: subnet.enableDhcp,
    gateway_ip: subnet.gatewayIp,
    dns_nameservers: subnet.dnsNameservers,
    host_routes: subnet.hostRoutes,
    has_router: false,
    total_ips: total,
    available_ips: total === null ? null : total - used,
    tags: formatTags(subnet.tags),
    metadata: formatTags(subnet.tags),
    updated_at: toUtc(subnet.updatedAt),
  };
}
