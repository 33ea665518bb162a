import { manifestName } from '../../contract/manifest.js';
import { networkErrorCode } from '../http/was-sent.js';
import { unavailable, unreadable } from './manifest-failure.js';
import type { OpenManifest, OpenOptions, Slice } from './open-manifest.js';

export interface HttpsOptions {
  /** Hosts, with a port where it is not 443, that may be read from. */
  hosts: readonly string[];
  fetch: typeof globalThis.fetch;
  /** Time until the first byte of an answer. */
  headersMs: number;
  /** Time for the whole read. */
  totalMs: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What comes and goes by itself; any other refusal is for a person to mend. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Opens a manifest over https; each host on the way, of redirects too, has to be allowed. */
export async function openHttps(
  options: HttpsOptions,
  url: string,
  { slice, signal }: OpenOptions,
): Promise<OpenManifest> {
  const total = AbortSignal.any([signal, AbortSignal.timeout(options.totalMs)]);
  const response = await follow(options, url, { slice, signal: total, cancelled: signal });
  const name = manifestName(url);
  if (response.body === null) throw unavailable(`The manifest ${name} was answered without a body`);
  const { body } = response;
  const isPart = response.status === 206;
  return {
    size: isPart ? sizeOfPart(response) : sizeOfWhole(response),
    bytes: readable(cut(body, isPart ? undefined : slice), { name, signal }),
    close: async () => {
      // What is left unread is of no use to anyone; a body that has failed cannot be cancelled.
      await body.cancel().catch(() => undefined);
    },
  };
}

interface Hop {
  slice: Slice | undefined;
  signal: AbortSignal;
  /** Of the caller alone. */
  cancelled: AbortSignal;
}

async function follow(options: HttpsOptions, url: string, hop: Hop): Promise<Response> {
  let next = new URL(url);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    refuseForeign(options, next);
    const response = await ask(options, next, hop);
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) {
      await refuseAnswer(response, manifestName(url));
      return response;
    }
    await response.body?.cancel();
    if (!URL.canParse(location, next.href)) break;
    next = new URL(location, next);
  }
  throw unreadable(`The manifest ${manifestName(url)} is redirected without end`);
}

function refuseForeign({ hosts }: HttpsOptions, { protocol, host }: URL): void {
  if (protocol !== 'https:') throw unreadable(`The manifest is redirected to ${protocol}//${host}`);
  if (hosts.includes(host)) return;
  throw unreadable(`The host ${host} is not in GCORE_MANIFEST_HOSTS of the worker`);
}

/** The time for the headers ends with them; that for the whole goes on. */
async function ask(options: HttpsOptions, url: URL, hop: Hop): Promise<Response> {
  const { slice, signal, cancelled } = hop;
  const headers = new AbortController();
  const timer = setTimeout(() => {
    headers.abort();
  }, options.headersMs);
  try {
    return await options.fetch(url.href, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, headers.signal]),
      headers: {
        // Compressed bytes could not be addressed by their offset.
        'accept-encoding': 'identity',
        ...(slice && { range: `bytes=${slice.offset}-${slice.offset + slice.length - 1}` }),
      },
    });
  } catch (error) {
    cancelled.throwIfAborted();
    const reason = headers.signal.aborted ? 'no answer in time' : networkErrorCode(error);
    throw unavailable(`The manifest ${manifestName(url.href)} could not be read (${reason})`);
  } finally {
    clearTimeout(timer);
  }
}

async function refuseAnswer(response: Response, name: string): Promise<void> {
  const { status } = response;
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  const isRead = status === 200 || status === 206;
  if (isRead && encoding === 'identity') return;
  await response.body?.cancel();
  const what = isRead ? `content-encoding ${encoding}` : String(status);
  const isPassing = status >= 500 || PASSING.has(status);
  throw (isPassing ? unavailable : unreadable)(`The manifest ${name} was answered with ${what}`);
}

function sizeOfPart({ headers }: Response): number | undefined {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

function sizeOfWhole({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
}

/** The slice of a body whose server knows no ranges. */
async function* cut(
  body: AsyncIterable<Uint8Array>,
  slice: Slice | undefined,
): AsyncGenerator<Uint8Array> {
  if (slice === undefined) {
    yield* body;
    return;
  }
  const end = slice.offset + slice.length;
  let at = 0;
  for await (const chunk of body) {
    const from = Math.max(slice.offset - at, 0);
    const to = Math.min(end - at, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    at += chunk.length;
    if (at >= end) return;
  }
}

/** A connection that breaks in the middle is an outage, whatever its error is called. */
async function* readable(
  bytes: AsyncIterable<Uint8Array>,
  { name, signal }: { name: string; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(`The manifest ${name} broke off (${networkErrorCode(error)})`);
  }
}
