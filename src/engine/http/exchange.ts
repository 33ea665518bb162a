import type { KyInstance } from 'ky';
import { types } from 'node:util';

import type { ApiClock } from './api-clock.js';
import type { LostCause } from './call-context.js';
import { OutOfTime, parseRetryAfter, withDeadline, writtenAt } from './deadline.js';
import { describeNetworkError, type ApiFailure, type RawAnswer } from './describe-failure.js';

/**
 * Error codes of a failed connection, when the system call is `connect`. A later `read` gives the
 * same codes when the route is lost while the client waits for an answer.
 */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
]);

/**
 * Error codes that occur only before a connection exists: the request cannot have been sent. A reset
 * is not among them, because it may come after the server has read everything.
 */
const NEVER_CONNECTED = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
]);

/**
 * The certificate of the server was not accepted, which is judged before the request. No other error of TLS
 * says when it came: an alert or a damaged record may follow the request.
 */
const NO_TRUST =
  /^(CERT_|ERR_TLS_CERT_ALTNAME_INVALID$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

interface ErrorNode {
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** The innermost causes of an error; one for each address that was tried. */
function leaves(error: unknown, depth = 0): ErrorNode[] {
  // By shape, not by class: an error of Node's fetch may come from another realm.
  if (typeof error !== 'object' || error === null || depth > 8) return [];
  const node: ErrorNode = error;
  const inner = Array.isArray(node.errors) ? node.errors : [node.cause];
  const found = inner.flatMap((child) => leaves(child, depth + 1));
  return found.length > 0 ? found : [node];
}

function isBeforeRequest({ code, syscall }: ErrorNode): boolean {
  if (typeof code !== 'string') return false;
  return (
    NEVER_CONNECTED.has(code) ||
    NO_TRUST.test(code) ||
    (NOT_CONNECTED.has(code) && syscall === 'connect')
  );
}

/**
 * Whether a request may have reached the server, judged by the network error alone.
 * Every error that may occur after the first byte counts as sent.
 */
export function wasSent(error: unknown): boolean {
  const found = leaves(error);
  return found.length === 0 || !found.every(isBeforeRequest);
}

/** The code of a network error for a person, such as `ECONNREFUSED`. */
export function networkErrorCode(error: unknown): string {
  const code = leaves(error).find((node) => typeof node.code === 'string')?.code;
  if (typeof code === 'string') return code;
  return types.isNativeError(error) ? error.name : 'unknown network error';
}

export interface BodyOptions {
  /** Counted after decompression. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Reads a body to its end, or until `signal` aborts. Returns `undefined` for a body above `maxBytes`.
 * A cancelled reader closes the connection of an unread rest.
 */
async function readBody(
  response: Response,
  { maxBytes, signal }: BodyOptions,
): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const cancel = (): void => {
    // A body that has already failed cannot be cancelled.
    reader.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      // After a cancel the reader looks as if the body were complete.
      signal.throwIfAborted();
      if (done) return new TextDecoder().decode(Buffer.concat(chunks));
      bytes += value.length;
      if (bytes > maxBytes) {
        cancel();
        return undefined;
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

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
  failure: ApiFailure;
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
  const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`;
  const response = await http(path.replace(/^\//, '') + query, {
    method,
    headers: {
      ...authorization(),
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    fetch: (input, init) => fetch(...withoutRequest(input, { ...init, body, signal })),
  });
  const date = response.headers.get('date');
  clock.note(date);
  const text = await readBody(response, { maxBytes, signal });
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), writtenAt(date));
  const { ok, status } = response;
  const isForeign = NOT_FOUND.has(status) && isPage(text);
  return text === undefined
    ? { ok, status, retryAfterMs, text: '', json: undefined, tooLargeFor: maxBytes }
    : { ok, status, retryAfterMs, text, json: parseJson(text), isForeign };
}

/**
 * What ky would send, without its own `Request`: that would stand between our signal and the connection, a link that is
 * weak, and its body would be copied as a stream.
 */
function withoutRequest(
  input: string | URL | Request,
  { body, ...init }: Omit<RequestInit, 'body'> & { body: string | undefined },
): [string | URL, RequestInit] {
  const rest = { ...init, ...(body !== undefined && { body }) };
  if (typeof input === 'string' || input instanceof URL) return [input, rest];
  const { url, method, headers, redirect } = input;
  return [url, { method, headers, redirect, ...rest }];
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
