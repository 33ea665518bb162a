import ipaddr from 'ipaddr.js';

/** IPv6 addresses outside it are not assigned, or are translated to others. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared,
 * multicast, reserved or translated. An IPv4 address inside an IPv6 one counts as what it is.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST);
}
