import { ApplicationFailure } from '@temporalio/common';

import { manifestName } from '../../contract/manifest.js';
import {
  OutOfTime,
  startDeadline,
  withDeadline,
  type Deadline,
} from '../../engine/http/deadline.js';
import { networkErrorCode } from '../../engine/http/exchange.js';
import { unavailableFailure, unreadableFailure } from './manifest-failure.js';
import type { OpenManifest, OpenOptions, Slice } from './open-manifest.js';
import {
  isRestOf,
  rangeHeaders,
  restOf,
  sizeOfPart,
  sizeOfWhole,
  versionOf,
  type Part,
} from './part.js';
import { repeatWhilePassing, takeUp } from './take-up.js';

export interface HttpsOptions {
  /** Hosts that may be read from, with a port where it is not 443. */
  hosts: readonly string[];
  fetch: typeof globalThis.fetch;
  /** Time until the first byte of an answer. */
  headersMs: number;
  /** Time for the whole read. */
  totalMs: number;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Refusals that pass without help; a person has to fix any other. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429]);

/** Opens a manifest over https. Each host has to be allowed, also those of redirects. */
export async function openHttps(
  options: HttpsOptions,
  url: string,
  { slice, signal: cancelled }: OpenOptions,
): Promise<OpenManifest> {
  const deadline = startDeadline({ ms: options.totalMs, cancelled });
  try {
    const hop = { signal: deadline.signal, cancelled };
    const response = await follow(options, url, { slice, ...hop });
    const ask = (wanted: Part) => follow(options, url, { slice: wanted, ...hop });
    return readable(response, { name: manifestName(url), slice, cancelled, deadline, ask });
  } catch (error) {
    deadline.end();
    throw error;
  }
}

interface Reading {
  name: string;
  slice: Slice | undefined;
  cancelled: AbortSignal;
  deadline: Deadline;
  /** Asks for a part of the same manifest. */
  ask: (wanted: Part) => Promise<Response>;
}

function readable(response: Response, reading: Reading): OpenManifest {
  const { name, slice = { offset: 0 }, cancelled, deadline } = reading;
  let reader = readerOf(response, name);
  const version = versionOf(response);
  const openRest = async (read: number): Promise<AsyncIterable<Uint8Array>> => {
    const wanted = restOf(slice, read);
    const ask = () => reading.ask({ ...wanted, ...(version && { version }) });
    const rest = await repeatWhilePassing(ask, deadline.signal);
    reader = readerOf(rest, name);
    if (isRestOf(rest, { offset: wanted.offset, version })) {
      return bytesOf(rest, { reader, deadline, wanted });
    }
    await reader.cancel().catch(() => undefined);
    throw unavailableFailure(`The manifest ${name} has changed while it was read`);
  };
  const bytes = takeUp(bytesOf(response, { reader, deadline, wanted: slice }), {
    openRest,
    mayTakeUp: (error) => version !== undefined && !(error instanceof OutOfTime),
  });
  return {
    size: response.status === 206 ? sizeOfPart(response) : sizeOfWhole(response),
    bytes: withReadFailures(bytes, { name, cancelled }),
    close: async () => {
      deadline.end();
      // Nobody needs the unread rest; a body that has failed cannot be cancelled.
      await reader.cancel().catch(() => undefined);
    },
  };
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

function readerOf({ body }: Response, name: string): BodyReader {
  if (body === null) throw unavailableFailure(`The answer for the manifest ${name} has no body`);
  return body.getReader();
}

function bytesOf(
  { status }: Response,
  { reader, deadline, wanted }: { reader: BodyReader; deadline: Deadline; wanted: Part },
): AsyncIterable<Uint8Array> {
  return cutSlice(chunksOf(reader, deadline), status === 206 ? undefined : wanted);
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await deadline.race(reader.read());
    if (done) return;
    yield value;
  }
}

interface Hop {
  slice: Part | undefined;
  /** Aborts at the end of the time of the whole read, and when the caller is cancelled. */
  signal: AbortSignal;
  /** Aborts when the caller is cancelled, and only then. */
  cancelled: AbortSignal;
}

async function follow(options: HttpsOptions, url: string, hop: Hop): Promise<Response> {
  let next = new URL(url);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    checkHost(options, next);
    const response = await ask(options, next, { ...hop, name: manifestName(url) });
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) {
      await checkAnswer(response, manifestName(url));
      return response;
    }
    await response.body?.cancel();
    if (!URL.canParse(location, next.href)) break;
    next = new URL(location, next);
  }
  throw unreadableFailure(
    `The manifest ${manifestName(url)} has more than ${MAX_REDIRECTS} redirects`,
  );
}

function checkHost({ hosts }: HttpsOptions, { protocol, host }: URL): void {
  if (protocol !== 'https:')
    throw unreadableFailure(`The manifest is redirected to ${protocol}//${host}`);
  if (hosts.includes(host)) return;
  throw unreadableFailure(`The host ${host} is not in GCORE_MANIFEST_HOSTS of the worker`);
}

/** `headersMs` limits the wait for the headers only; `signal` limits the whole read. */
async function ask(
  options: HttpsOptions,
  url: URL,
  hop: Hop & { name: string },
): Promise<Response> {
  const { slice, signal: stopped, cancelled, name } = hop;
  try {
    return await withDeadline({ ms: options.headersMs, cancelled: stopped }, (signal) =>
      options.fetch(url.href, {
        redirect: 'manual',
        signal,
        headers: {
          // Offsets address uncompressed bytes.
          'accept-encoding': 'identity',
          ...(slice && rangeHeaders(slice)),
        },
      }),
    );
  } catch (error) {
    cancelled.throwIfAborted();
    // Not the URL that was asked: a redirect may carry credentials.
    throw unavailableFailure(`The manifest ${name} could not be read (${reasonOf(error)})`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof OutOfTime ? 'no answer in time' : networkErrorCode(error);
}

async function checkAnswer(response: Response, name: string): Promise<void> {
  const { status } = response;
  const encoding = response.headers.get('content-encoding') ?? 'identity';
  const isRead = status === 200 || status === 206;
  if (isRead && encoding === 'identity') return;
  await response.body?.cancel();
  const what = isRead ? 'a content-encoding' : String(status);
  const isPassing = status >= 500 || TRANSIENT.has(status);
  throw (isPassing ? unavailableFailure : unreadableFailure)(
    `The manifest ${name} was answered with ${what}`,
  );
}

/** Cuts the slice out of a body when the server does not support ranges. */
async function* cutSlice(
  body: AsyncIterable<Uint8Array>,
  slice: Part | undefined,
): AsyncGenerator<Uint8Array> {
  if (slice === undefined) {
    yield* body;
    return;
  }
  const end = slice.offset + (slice.length ?? Infinity);
  let at = 0;
  for await (const chunk of body) {
    const from = Math.max(slice.offset - at, 0);
    const to = Math.min(end - at, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    at += chunk.length;
    if (at >= end) return;
  }
}

/** A connection that breaks in the middle is an outage, whatever its error code. */
async function* withReadFailures(
  bytes: AsyncIterable<Uint8Array>,
  { name, cancelled }: Pick<Reading, 'name' | 'cancelled'>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    cancelled.throwIfAborted();
    if (error instanceof ApplicationFailure) throw error;
    throw unavailableFailure(
      `The manifest ${name} could not be read to its end (${reasonOf(error)})`,
    );
  }
}
