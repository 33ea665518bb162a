import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { isPublicAddress } from './is-public-address.js';

/** The host has an address that the worker does not send to. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'PRIVATE_ADDRESS';
}

/** A name service; `dns.lookup` is one. */
export type NameService = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name for one connection, and refuses it when any of its addresses is not public. The check is
 * here because the connection uses this very answer: a name that changes its address between a check
 * and the connection (DNS rebinding) gains nothing.
 */
export function guardedLookup(lookup: NameService = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new PrivateAddressError(), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** An address in a URL is never looked up. @throws PrivateAddressError */
export function refusePrivateAddress({ hostname }: URL): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError();
}
