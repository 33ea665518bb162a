import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { GatewayContext } from './gateway-context.js';
import { matchesTag } from './read-request.js';

/** What a reader may have in memory that takes nothing. */
const CHUNK_BYTES = 65_536;

interface Made {
  tag: string;
  plain: Uint8Array;
  compressed: Uint8Array;
}

/**
 * A text that anybody may read. It is made at the first request, once, and all answers share its bytes: a text for each
 * answer is memory that strangers fill.
 */
export function publicDocument(
  headers: Readonly<Record<string, string>>,
  make: () => string,
): (c: GatewayContext) => Response {
  let made: Made | undefined;
  return (c) => {
    made ??= toMade(make());
    const common = {
      'Cache-Control': 'no-cache',
      ...headers,
      // Weak: it names both forms.
      ETag: `W/"${made.tag}"`,
      Vary: 'Accept-Encoding',
    };
    if (matchesTag(c.req.header('if-none-match'), made.tag)) return c.body(null, 304, common);
    const isCompressed = takesGzip(c.req.header('accept-encoding'));
    const bytes = isCompressed ? made.compressed : made.plain;
    return c.body(ReadableStream.from(chunksOf(bytes)), 200, {
      ...common,
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      'Content-Length': String(bytes.length),
    });
  };
}

function toMade(text: string): Made {
  const plain = Buffer.from(text);
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { tag, plain, compressed: gzipSync(plain) };
}

/** Views, not copies. */
function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** `gzip` without a quality of 0. */
function takesGzip(accepted = ''): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding));
}
