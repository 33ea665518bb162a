import type { KyInstance } from 'ky';

import type { ApiClock } from './api-clock.js';
import type { LostCause } from './call-observer.js';
import { OutOfTime, withDeadline } from './deadline.js';
import { describeNetworkError, type Description, type RawAnswer } from './describe-failure.js';
import { readBody } from './read-body.js';
import { parseRetryAfter } from './retry-after.js';
import { networkErrorCode, wasSent } from './was-sent.js';

/** One request, ready to be sent. */
export interface Outgoing {
  method: string;
  path: string;
  searchParams: URLSearchParams;
  /** JSON. It is written before anything is sent. */
  body?: string;
  userAgent: string;
  repeatable: boolean;
  /** Largest answer, after decompression. */
  maxBytes: number;
}

export interface ExchangeOptions {
  http: KyInstance;
  fetch: typeof globalThis.fetch;
  clock: Pick<ApiClock, 'note'>;
  /** The headers with the key of this moment. */
  authorization: () => Record<string, string>;
  /** From the first byte of the request to the last byte of the answer. */
  timeoutMs: number;
  /** Aborts when the caller is cancelled. */
  cancelled: AbortSignal;
}

interface Unanswered {
  failure: Description;
  lost: LostCause;
}

/** Sends one request and reads the whole answer in time. Throws only the reason of a cancellation. */
export async function exchange(
  options: ExchangeOptions,
  request: Outgoing,
): Promise<RawAnswer | Unanswered> {
  const { timeoutMs: ms, cancelled } = options;
  try {
    return await withDeadline({ ms, cancelled }, (signal) => send(options, request, signal));
  } catch (error) {
    // A cancelled activity must end as cancelled: the SDK recognises its own reason, which carries
    // nothing of the request.
    if (cancelled.aborted) throw cancelled.reason;
    const found =
      error instanceof OutOfTime
        ? { code: 'no answer in time', sent: true }
        : { code: networkErrorCode(error), sent: wasSent(error) };
    const lost = error instanceof OutOfTime ? 'timeout' : lostCause(found);
    return { failure: describeNetworkError(found, request.repeatable), lost };
  }
}

function lostCause({ sent }: { sent: boolean }): LostCause {
  return sent ? 'connection_lost' : 'not_connected';
}

async function send(
  { http, fetch, clock, authorization }: ExchangeOptions,
  { method, path, searchParams, body, userAgent, maxBytes }: Outgoing,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const response = await http(path.replace(/^\//, ''), {
    method,
    searchParams,
    headers: {
      ...authorization(),
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    // ky would put its own `Request` between our signal and the connection: that link is weak.
    fetch: (input, init) => fetch(input, { ...init, signal }),
  });
  clock.note(response.headers.get('date'));
  const text = await readBody(response, { maxBytes, signal });
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const { ok, status } = response;
  const isForeign = NOT_FOUND.has(status) && isPage(text);
  return text === undefined
    ? { ok, status, retryAfterMs, text: '', json: undefined, tooLargeFor: maxBytes }
    : { ok, status, retryAfterMs, text, json: parseJson(text), isForeign };
}

const NOT_FOUND: ReadonlySet<number> = new Set([404, 410]);

/** HTML or XML. The API answers with JSON or with nothing; what stands before it may not know the way for a while. */
function isPage(text = ''): boolean {
  return /^\s*</.test(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
