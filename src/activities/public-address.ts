import { BlockList, isIPv6 } from 'node:net';

/** Networks that nobody outside can reach. */
const UNREACHABLE: readonly (readonly [network: string, prefix: number])[] = [
  // Private (RFC 1918, RFC 4193)
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  // Shared by the customers of a carrier (RFC 6598)
  ['100.64.0.0', 10],
  // Benchmarks (RFC 2544)
  ['198.18.0.0', 15],
  // Link-local
  ['169.254.0.0', 16],
  ['fe80::', 10],
  // Loopback
  ['127.0.0.0', 8],
  ['::1', 128],
];

const unreachable = new BlockList();
for (const [network, prefix] of UNREACHABLE) {
  unreachable.addSubnet(network, prefix, familyOf(network));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The public address of an instance: a floating IP first, else its own; IPv4 before IPv6. */
export function publicAddressOf(
  addresses: readonly { address: string; type: string }[],
): string | undefined {
  const isReachable = ({ address }: { address: string }): boolean =>
    !unreachable.check(address, familyOf(address));
  const reachable = [
    ...addresses.filter(({ type }) => type === 'floating'),
    ...addresses.filter(({ type }) => type !== 'floating').filter(isReachable),
  ];
  const [first] = reachable.filter(({ address }) => !isIPv6(address));
  return (first ?? reachable[0])?.address;
}
