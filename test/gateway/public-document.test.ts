import { gunzipSync } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import type { GatewayEnv } from '../../src/gateway/gateway-context.js';
import { publicDocument } from '../../src/gateway/public-document.js';

const TEXT = '{"é":"' + 'x'.repeat(200_000) + '"}';

function serve() {
  const app = new Hono<GatewayEnv>();
  let made = 0;
  const document = publicDocument({ 'Content-Type': 'application/json' }, () => {
    made += 1;
    return TEXT;
  });
  app.get('/', (c) => document(c));
  const ask = (headers: Record<string, string> = {}) => app.request('/', { headers });
  return { ask, made: () => made };
}

describe('a public document', () => {
  it('is made once, whole, in clear or compressed as its reader asks', async () => {
    const { ask, made } = serve();
    const plain = await ask();
    const small = await ask({ 'Accept-Encoding': 'br, gzip;q=0.8' });
    const bytes = Buffer.from(await small.arrayBuffer());

    expect(await plain.text()).toBe(TEXT);
    expect(gunzipSync(bytes).toString()).toBe(TEXT);
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(Number(small.headers.get('content-length'))).toBe(bytes.length);
    expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(TEXT)));
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'Accept-Encoding',
    ]);
    expect(made()).toBe(1);
  });

  it.each(['', 'br', 'gzip;q=0', 'GZIP; q=0.000', 'xgzip'])(
    'is in clear for a reader of "%s"',
    async (accepted) => {
      const { headers } = await serve().ask({ 'Accept-Encoding': accepted });

      expect(headers.get('content-encoding')).toBeNull();
    },
  );

  it('is not sent again to a reader that has it', async () => {
    const { ask } = serve();
    const tag = (await ask()).headers.get('etag') ?? '';
    const again = await ask({ 'If-None-Match': tag });

    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
  });

  it('shares its bytes among all answers', async () => {
    const { ask } = serve();
    const chunks = await Promise.all(
      [await ask(), await ask()].map(async (answer) => {
        const body: ReadableStream<Uint8Array> | null = answer.body;
        return body?.getReader().read();
      }),
    );

    const [first, second] = chunks.map((chunk) => chunk?.value?.buffer);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });
});
