import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { serveGateway } from '../../src/gateway/serve-gateway.js';
import { sendBytes, statusOf } from './send-bytes.js';

const pieceSchema = z.instanceof(Uint8Array);
const LOCAL = { host: '127.0.0.1', port: 0 };
const HEAD =
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const bodyOf = (parts: readonly string[]) => `${parts.map(chunkOf).join('')}0\r\n\r\n`;

/** Answers what it has read, and keeps the size of each piece of it. */
function readingApp(waitMs = 0) {
  const pieces: number[] = [];
  const fetch = async ({ body }: Request): Promise<Response> => {
    let text = '';
    for await (const piece of body ?? []) {
      const bytes = pieceSchema.parse(piece);
      pieces.push(bytes.length);
      text += Buffer.from(bytes).toString('latin1');
      await delay(waitMs);
    }
    return new Response(text);
  };
  return { fetch, pieces };
}

async function answerTo(text: string, fetch: (request: Request) => Promise<Response>) {
  const server = await serveGateway({ fetch }, LOCAL);
  const answer = await sendBytes(server.url, text);
  await server.close();
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}

describe('a body of many small chunks', () => {
  it('is handed on in few pieces', async () => {
    const { fetch, pieces } = readingApp();
    const parts = Array.from({ length: 20_000 }, (_, at) => String(at % 10));

    const read = await answerTo(HEAD + bodyOf(parts), fetch);

    expect(read).toBe(parts.join(''));
    expect(pieces.length).toBeLessThan(100);
  });

  it('keeps its order among long ones, also for a slow reader', async () => {
    const { fetch } = readingApp(1);
    const parts = Array.from({ length: 200 }, (_, at) =>
      String(at % 10).repeat(at % 7 === 0 ? 9_000 : 1 + at * 3),
    );

    expect(await answerTo(HEAD + bodyOf(parts), fetch)).toBe(parts.join(''));
  });

  it('keeps no more of a byte that comes by itself than that byte', async () => {
    let kept = 0;
    const fetch = async ({ body }: Request): Promise<Response> => {
      for await (const piece of body ?? [])
        kept = Math.max(kept, pieceSchema.parse(piece).buffer.byteLength);
      return new Response('read');
    };

    await answerTo(HEAD + bodyOf(['x']), fetch);

    // Of the pool of Node, which many share.
    expect(kept).toBeLessThanOrEqual(8_192);
  });
});

describe('a request that expects what nobody knows', () => {
  const EXPECTING = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n';

  it('is answered in its turn, as any other', async () => {
    const server = await serveGateway({ fetch: () => Promise.resolve(new Response('x')) }, LOCAL);

    const answer = await sendBytes(server.url, `${EXPECTING}Connection: close\r\n\r\n`);

    expect(statusOf(answer)).toBe(200);
    await server.close();
  });

  it('costs its connection when it comes many times', async () => {
    const server = await serveGateway({ fetch: () => Promise.resolve(new Response('x')) }, LOCAL);

    const answers = await sendBytes(server.url, `${EXPECTING}\r\n`.repeat(1_000));

    expect(answers.split('HTTP/1.1').length).toBeLessThan(20);
    await server.close();
  });
});
