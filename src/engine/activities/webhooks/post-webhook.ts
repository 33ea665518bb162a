import ipaddr from 'ipaddr.js';
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { withDeadline } from '../../http/deadline.js';

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
function refusePrivateAddress({ hostname }: URL): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError();
}

export interface WebhookPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The URL may lead to an address that is not public. */
  mayBePrivate: boolean;
  timeoutMs: number;
  cancelled: AbortSignal;
}

export interface WebhookAnswer {
  status: number;
  retryAfter: string | undefined;
  date: string | undefined;
}

/**
 * One POST by a connection of its own. No redirect is followed, and the body of the answer is not read. Node's
 * own client, because `fetch` gives no say in which address a connection goes to.
 *
 * @throws PrivateAddressError, OutOfTime, or the error of the network
 */
export function postWebhook(
  post: WebhookPost,
  lookup: LookupFunction = guardedLookup(),
): Promise<WebhookAnswer> {
  const { timeoutMs: ms, cancelled } = post;
  return withDeadline({ ms, cancelled }, (signal) => send(post, { signal, lookup }));
}

function send(
  { url: text, headers, body, mayBePrivate }: WebhookPost,
  { signal, lookup }: { signal: AbortSignal; lookup: LookupFunction },
): Promise<WebhookAnswer> {
  const url = new URL(text);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    if (!mayBePrivate) refusePrivateAddress(url);
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        signal,
        ...(!mayBePrivate && { lookup }),
      },
      ({ statusCode: status = 0, headers: { 'retry-after': retryAfter, date } }) => {
        resolve({ status, retryAfter, date });
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
