import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { createManifestReader } from '../../../src/activities/manifest/create-manifest-reader.js';
import { serveRanges, startFileHost, toLines } from '../../support/worlds/manifests.js';
import { thrownBy } from '../../support/http/in-activity.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const HOST = 'files.example.test';
const manifest = { url: `https://${HOST}/a.jsonl?signature=geheim` };
const schema = z.object({ n: z.number() });
const items = Array.from({ length: 10 }, (_, n) => ({ n }));
const request = { schema, limits: { maxItems: 4, maxBytes: 1_000, maxLines: 100 } };

/** More than a busy machine takes for an answer. */
const PATIENT = { headersMs: 20_000, totalMs: 40_000 };
/** For answers that never come. */
const IMPATIENT = { headersMs: 300, totalMs: 600 };

async function withHost<T>(
  answer: Answer,
  act: (world: World) => Promise<T>,
  times = PATIENT,
): Promise<T> {
  await using host = await startFileHost(answer);
  const reader = createManifestReader({ hosts: [HOST], fetch: host.fetch, ...times });
  return await act({ host, reader });
}

interface World {
  host: Awaited<ReturnType<typeof startFileHost>>;
  reader: ReturnType<typeof createManifestReader>;
}

async function failureOfScan(answer: Answer, times = PATIENT) {
  const scan = async ({ host, reader }: World) => {
    const error = await thrownBy(() => reader.scan(manifest, { ...request, signal }));
    if (!(error instanceof ApplicationFailure)) throw error;
    return { type: error.type, message: error.message, hosts: host.requests.map((r) => r.host) };
  };
  return withHost(answer, scan, times);
}

const { signal } = new AbortController();

describe('a manifest over https', () => {
  it('is read once as a whole, then by ranges', async () => {
    await withHost(serveRanges(toLines(items)), async ({ host, reader }) => {
      const { ranges } = await reader.scan(manifest, { ...request, signal });
      const read = [];
      for (const range of ranges)
        read.push(...(await reader.read(manifest, { schema, range, signal })));

      expect(read.map(({ value }) => value)).toEqual(items);
      expect(host.requests.map(({ range }) => range)).toEqual([
        undefined,
        'bytes=0-31',
        'bytes=32-63',
        'bytes=64-79',
      ]);
    });
  });

  it('can be read from a server without support for ranges', async () => {
    const whole: Answer = (_, response) => response.end(toLines(items));
    await withHost(whole, async ({ reader }) => {
      const { ranges } = await reader.scan(manifest, { ...request, signal });
      const [, second] = ranges;
      if (second === undefined) throw new Error('three ranges');

      const read = await reader.read(manifest, { schema, range: second, signal });

      expect(read.map(({ line }) => line)).toEqual([5, 6, 7, 8]);
    });
  });

  it('is refused when it has changed', async () => {
    let content = toLines(items);
    const serve: Answer = (...exchange) => {
      serveRanges(content)(...exchange);
    };
    await withHost(serve, async ({ reader }) => {
      const { ranges } = await reader.scan(manifest, { ...request, signal });
      content = '{"n":1}\n';
      const errors = await Promise.all(
        ranges.map((range) => thrownBy(() => reader.read(manifest, { schema, range, signal }))),
      );

      expect(errors).toEqual(
        ranges.map(() => expect.objectContaining({ type: 'ManifestUnreadable' })),
      );
    });
  });

  it('follows redirects to allowed hosts only', async () => {
    const to =
      (location: string): Answer =>
      (incoming, response) => {
        if (incoming.url === '/b') response.end('{"n":1}\n');
        else response.writeHead(302, { location }).end();
      };
    const scan = (location: string) => failureOfScan(to(location));

    await withHost(to('/b'), async ({ reader }) => {
      expect((await reader.scan(manifest, { ...request, signal })).lines).toBe(1);
    });
    expect(await scan('https://evil.test/b')).toMatchObject({
      type: 'ManifestUnreadable',
      hosts: [HOST],
    });
    expect(await scan(`http://${HOST}/b`)).toMatchObject({
      type: 'ManifestUnreadable',
      hosts: [HOST],
    });
    expect(await scan('/again')).toMatchObject({
      type: 'ManifestUnreadable',
      hosts: [HOST, HOST, HOST, HOST],
    });
  });

  it.each([
    [404, 'ManifestUnreadable'],
    [403, 'ManifestUnreadable'],
    [429, 'ServiceUnavailable'],
    [500, 'ServiceUnavailable'],
  ])('fails after a %d as %s', async (status, type) => {
    const found = await failureOfScan((_, response) =>
      response.writeHead(status).end('secret body'),
    );

    expect(found).toMatchObject({ type });
    expect(found.message).not.toMatch(/secret|geheim/);
  });

  it.each<[string, Answer]>([
    ['is refused', (_, response) => response.socket?.destroy()],
    ['never begins', () => undefined],
    ['never ends', (_, response) => response.write('{"n":1}\n')],
    [
      'breaks off',
      (_, response) =>
        response
          .writeHead(200, { 'content-length': 99 })
          .write('{"n":1}\n', () => response.socket?.destroy()),
    ],
  ])('is read again when its answer %s', async (_, answer) => {
    expect(await failureOfScan(answer, IMPATIENT)).toMatchObject({ type: 'ServiceUnavailable' });
  });

  it('is never read from a host that is not allowed', async () => {
    await withHost(serveRanges('{"n":1}\n'), async ({ host, reader }) => {
      const foreign = { url: 'https://169.254.169.254/latest' };
      const error = await thrownBy(() => reader.scan(foreign, { ...request, signal }));

      expect(error).toMatchObject({ type: 'ManifestUnreadable' });
      expect(host.requests).toEqual([]);
    });
  });

  it('stops being read when the caller is cancelled', async () => {
    const caller = new AbortController();
    await withHost(
      () => {
        caller.abort(new Error('cancelled by the test'));
      },
      async ({ reader }) => {
        const error = await thrownBy(() =>
          reader.scan(manifest, { ...request, signal: caller.signal }),
        );

        expect(error).toMatchObject({ message: 'cancelled by the test' });
      },
    );
  });
});
