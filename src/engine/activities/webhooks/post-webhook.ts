import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

import { withDeadline } from '../../http/deadline.js';
import { guardedLookup, refusePrivateAddress } from './guarded-lookup.js';

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
      ({ statusCode: status = 0, headers: { 'retry-after': retryAfter } }) => {
        resolve({ status, retryAfter });
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
