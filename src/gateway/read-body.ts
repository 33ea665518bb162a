import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { HttpBindings } from '@hono/node-server';
import pLimit from 'p-limit';

import { decodeText } from '../engine/core/decode-text.js';
import { formatJsonFault, parseJson } from '../contract/parse-json.js';
import { MAX_UPLOAD_BYTES } from '../contract/wire/uploads.js';
import { MAX_VALUES, toPath, toPointer } from '../engine/core/faults.js';
import type { GatewayContext, Pace } from './gateway-context.js';
import { ProblemError, type Problem, type ProblemFault } from './problem.js';
import { awaited } from './within.js';

/** Some bytes more than an input may have: the client says which of its parts is too large. */
export const MAX_BODY_BYTES = 2_100_000;

/** The JSON body of a request. @throws ProblemError (400, 413, 415) */
export async function readJsonBody(c: GatewayContext): Promise<unknown> {
  refuseEncoded(c);
  refuseOtherTypes(c);
  return parseBody(await readBytes(c));
}

/** A body that may be left out: then `{}`. */
export async function readOptionalBody(c: GatewayContext): Promise<unknown> {
  refuseEncoded(c);
  const bytes = await readBytes(c);
  if (bytes.length === 0) return {};
  refuseOtherTypes(c);
  return parseBody(bytes);
}

const LIST_TYPES = ['application/x-ndjson', 'application/jsonl'];

/** The body as it comes, for a reader that holds only a part of it. @throws ProblemError (415) */
export async function* streamList(c: GatewayContext): AsyncGenerator<Uint8Array> {
  refuseEncoded(c);
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (!LIST_TYPES.includes(type.trim())) {
    throw unsupported(`must be ${LIST_TYPES.join(' or ')}: one JSON object a line`, 'Content-Type');
  }
  yield* chunksOf(c);
}

function refuseOtherTypes(c: GatewayContext): void {
  if (isJson(c.req.header('content-type') ?? '')) return;
  throw unsupported('must be application/json, in UTF-8', 'Content-Type');
}

function isJson(contentType: string): boolean {
  const [type, charset = 'charset=utf-8', ...more] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim().replaceAll('"', ''));
  return type === 'application/json' && charset === 'charset=utf-8' && more.length === 0;
}

function parseBody(bytes: Uint8Array): unknown {
  const json = parseStrictJson(toText(bytes));
  if (!json.ok) throw badBody(json.fault);
  return json.value;
}

/** A few kilobytes can decompress into gigabytes. */
function refuseEncoded(c: GatewayContext): void {
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw unsupported('must be left out: send the body as it is', 'Content-Encoding');
  }
}

function toText(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded.text;
  throw badBody({ pointer: '', message: decoded.fault });
}

/** The fault of a body by its JSON pointer. It never quotes the text. */
export function parseStrictJson(
  text: string,
): { ok: true; value: unknown } | { ok: false; fault: ProblemFault } {
  const json = parseJson(text, { maxValues: MAX_VALUES });
  if (json.ok) return json;
  const { path, message } = json.fault;
  const fault = json.isJson
    ? { pointer: toPointer(toPath(path)), message }
    : { pointer: '', message: formatJsonFault(json) };
  return { ok: false, fault };
}

/** Stops at the first byte too many, whatever Content-Length says. @throws ProblemError (413, 503) */
export async function readBytes(c: GatewayContext, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // An aborted request ends here with an error; nobody waits for its answer.
  for await (const chunk of chunksOf(c)) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    c.get('hold')(chunk.length + BYTES_OF_PIECE);
    chunks.push(chunk);
  }
  if (length > SMALL_BODY_BYTES) {
    await c.get('takeTurn')(length);
    await oneATurn(letOthersPass);
  }
  return Buffer.concat(chunks);
}

/** Each piece of a body takes as many more: one that comes byte by byte is in memory as a million of them. */
const BYTES_OF_PIECE = 256;

/** A larger one takes up to a quarter of a second as values. Those that come together are looked through one at a time, and others are answered in between. */
const SMALL_BODY_BYTES = 65_536;
const oneATurn = pLimit(1);

/** A request that costs nothing takes a few turns: it is accepted, read and answered. */
const TURNS_OF_OTHERS = 16;

async function letOthersPass(): Promise<void> {
  for (let turns = 0; turns < TURNS_OF_OTHERS; turns += 1) await nextTurn();
}

/**
 * What is left of a body that nobody wants, for as long as a body may stand still: whoever is still sending when its connection
 * is closed hears of a reset, and never reads why it was refused.
 */
export async function takeRest(c: GatewayContext): Promise<void> {
  // There is nothing to read in a call without a port.
  const { incoming }: Partial<HttpBindings> = { ...c.env };
  const isLastOne = c.res.headers.get('Connection') === 'close';
  if (incoming === undefined || incoming.complete || incoming.destroyed || isLastOne) return;
  if (Number(c.req.header('content-length') ?? 0) > MAX_UPLOAD_BYTES) return;
  const late = AbortSignal.timeout(c.get('pace').ms);
  const long = new AbortController();
  // Without a length it may have no end.
  let taken = 0;
  // A reader that has given up in between would stop it again.
  incoming.removeAllListeners('data').on('data', ({ length }: Uint8Array) => {
    taken += length;
    if (taken > MAX_UPLOAD_BYTES) long.abort();
  });
  incoming.resume();
  const signal = AbortSignal.any([late, long.signal]);
  await finished(incoming, { signal }).catch(() => incoming.pause());
}

export const PACE: Pace = { ms: 5_000, bytes: 65_536 };

/** Only the time counts in which the caller is waited for. @throws ProblemError (408) */
async function* chunksOf(c: GatewayContext): AsyncGenerator<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = c.req.raw.body;
  if (body === null) return;
  const { ms, bytes } = c.get('pace');
  const reader = body.getReader();
  let leftMs = ms;
  try {
    for (;;) {
      const askedAt = performance.now();
      const { done, value } = await awaited(leftMs, reader.read(), TOO_SLOW);
      if (done) return;
      const earnedMs = (value.length / bytes) * ms;
      leftMs = Math.min(ms, leftMs - (performance.now() - askedAt) + earnedMs);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const TOO_SLOW: Problem = {
  status: 408,
  code: 'TooSlow',
  title: 'The body comes too slowly',
  detail: `The gateway waits ${PACE.ms / 1_000} s for a body, and as long again for each ${PACE.bytes} bytes of it. Nothing was started or changed.`,
  advice: 'Send the request again, over a faster line.',
  // The rest of the body may still come.
  headers: { Connection: 'close' },
};

function tooLarge(maxBytes: number): ProblemError {
  return new ProblemError({
    status: 413,
    code: 'TooLarge',
    title: 'The body is too large',
    detail: `The body has more than ${maxBytes} bytes. Nothing was started or changed.`,
    advice: 'Send less in one request. Upload a long list: POST /v1/uploads/{operation}.',
  });
}

function badBody(fault: ProblemFault): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'The body is not valid JSON',
    detail: 'The body cannot be read. Nothing was started or changed.',
    advice: 'Correct the body and send the request again.',
    faults: [fault],
  });
}

function unsupported(message: string, header: string): ProblemError {
  return new ProblemError({
    status: 415,
    code: 'UnsupportedMediaType',
    title: 'The body has an unsupported form',
    detail: `${header} ${message}. Nothing was started or changed.`,
    advice: 'Send the body with this header, not compressed.',
    faults: [{ parameter: header, message }],
  });
}
