import type { InstanceView } from '../../../activities/instances.js';

/** The public address of an instance, as the activity reported it. */
export function publicAddressOf({ publicAddress, addresses }: InstanceView): string | undefined {
  return publicAddress === undefined ? recordedAddressOf(addresses) : (publicAddress ?? undefined);
}

/** Private networks, as runs knew them before the activity reported the public address. */
const PRIVATE = [
  /^(?:10|127)\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^169\.254\./,
  /^f[cd][0-9a-f]{2}:/i,
  /^fe[89ab][0-9a-f]:/i,
  /^::1$/,
];

/** For runs with an older history: they must replay to the address that they protected. */
function recordedAddressOf(addresses: InstanceView['addresses']): string | undefined {
  const isPublic = ({ address }: { address: string }): boolean =>
    !PRIVATE.some((range) => range.test(address));
  const reachable = [
    ...addresses.filter(({ type }) => type === 'floating'),
    ...addresses.filter(({ type }) => type !== 'floating').filter(isPublic),
  ];
  const [first] = reachable.filter(({ address }) => !address.includes(':'));
  return (first ?? reachable[0])?.address;
}
