import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import {
  createManifestReader,
  type ManifestReader,
} from '../../../src/activities/manifest/create-manifest-reader.js';
import { thrownBy } from '../../support/http/in-activity.js';
import {
  serveRanges,
  startFileHost,
  toLines,
  type FileHost,
} from '../../support/worlds/manifests.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface World {
  host: FileHost;
  reader: ManifestReader;
}

const HOST = 'files.example.test';
const manifest = { url: `https://${HOST}/a.jsonl?signature=geheim` };
/** More than a busy machine takes for an answer. */
const PATIENT = { headersMs: 20_000, totalMs: 40_000 };

async function withHost<T>(
  answer: Answer,
  act: (world: World) => Promise<T>,
  times = PATIENT,
): Promise<T> {
  await using host = await startFileHost(answer);
  const reader = createManifestReader({ hosts: [HOST], fetch: host.fetch, ...times });
  return await act({ host, reader });
}

const { signal } = new AbortController();
const request = {
  schema: z.object({ n: z.number() }),
  limits: { maxItems: 4, maxBytes: 1_000, maxLines: 1_000 },
};

describe('a manifest over https whose connection breaks again and again', () => {
  const many = Array.from({ length: 200 }, (_, n) => ({ n }));
  const content = Buffer.from(toLines(many));
  /** Each answer breaks after so many bytes. */
  const CUT = 500;
  const version = '"v1"';

  /** @param answerOf what the nth request is answered with; by default the rest of the content. */
  const breaking = (
    headers: Record<string, string>,
    answerOf: (nth: number) => Answer | undefined,
  ) => {
    let nth = 0;
    return (incoming: IncomingMessage, response: ServerResponse): void => {
      nth += 1;
      const other = answerOf(nth);
      if (other !== undefined) {
        other(incoming, response);
        return;
      }
      const from = Number(/^bytes=(\d+)-/.exec(incoming.headers.range ?? '')?.[1] ?? 0);
      const isPart = incoming.headers['if-range'] === version;
      const rest = isPart ? content.subarray(from) : content;
      const range = `bytes ${from}-${content.length - 1}/${content.length}`;
      response.writeHead(isPart ? 206 : 200, {
        ...headers,
        'content-length': rest.length,
        ...(isPart && { 'content-range': range }),
      });
      if (rest.length <= CUT) response.end(rest);
      else response.write(rest.subarray(0, CUT), () => response.socket?.destroy());
    };
  };
  const scan = ({ reader }: World) => reader.scan(manifest, { ...request, signal });

  it('is taken up where it broke', async () => {
    const answer = breaking({ etag: version }, () => undefined);
    const whole = await withHost(serveRanges(content.toString()), scan);

    await withHost(answer, async (world) => {
      expect(await scan(world)).toEqual(whole);
      expect(world.host.requests.length).toBe(Math.ceil(content.length / CUT));
    });
  });

  it('is taken up although each third request is refused for a moment', async () => {
    const answer = breaking({ etag: version }, (nth) =>
      nth % 3 === 0 ? (_, response) => response.writeHead(503).end() : undefined,
    );

    await withHost(answer, async (world) => {
      expect(await scan(world)).toMatchObject({ lines: 200, bytes: content.length });
      expect(world.host.requests.length).toBeLessThan((content.length / CUT) * 1.5 + 2);
    });
  });

  it.each<[string, Record<string, string>, Answer | undefined]>([
    [
      'has changed',
      { etag: version },
      (_, response) => response.writeHead(200, { etag: '"v2"' }).end('{}'),
    ],
    [
      'comes from another place than was asked for',
      { etag: version },
      (_, response) =>
        response.writeHead(206, { etag: version, 'content-range': 'bytes 3-9/99' }).end('{"n":1}'),
    ],
    ['has a weak version', { etag: 'W/"v1"' }, undefined],
    ['has no version', {}, undefined],
  ])('is not taken up when the rest %s', async (_what, headers, rest) => {
    const answer = breaking(headers, (nth) => (nth === 1 ? undefined : rest));

    await withHost(answer, async (world) => {
      expect(await thrownBy(() => scan(world))).toMatchObject({ type: 'ServiceUnavailable' });
      expect(world.host.requests.length).toBeLessThanOrEqual(2);
    });
  });

  it('is given up when a connection brings nothing any more', async () => {
    const answer = breaking({ etag: version }, (nth) =>
      nth > 2 ? (_, response) => response.socket?.destroy() : undefined,
    );

    await withHost(
      answer,
      async (world) => {
        expect(await thrownBy(() => scan(world))).toMatchObject({ type: 'ServiceUnavailable' });
      },
      { ...PATIENT, totalMs: 3_000 },
    );
  });
});
