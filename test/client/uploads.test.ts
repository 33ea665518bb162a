import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { z } from 'zod';

import { createManifestReader, type UploadSource } from '../../src/activities/index.js';
import { uploadList, type UploadedList } from '../../src/client/uploads.js';
import type { ListOperation } from '../../src/contract/uploads.js';
import {
  indexWorkflowId,
  PIECE_BYTES,
  pieceWorkflowId,
  type UploadIndex,
} from '../../src/contract/wire/uploads.js';
import { thrownBy } from '../support/http/in-activity.js';

/** What a server would keep. */
function createShelf() {
  const kept = new Map<string, Uint8Array | UploadIndex>();
  const source: UploadSource = {
    index(sha256) {
      const found = kept.get(indexWorkflowId(sha256));
      return Promise.resolve(found instanceof Uint8Array ? undefined : found);
    },
    piece(sha256) {
      const found = kept.get(pieceWorkflowId(sha256));
      return Promise.resolve(found instanceof Uint8Array ? found : undefined);
    },
  };
  const upload = (
    text: string | Buffer,
    { operation = 'runBatch', cut = 64_000 }: { operation?: ListOperation; cut?: number } = {},
  ): Promise<UploadedList> =>
    uploadList(
      (id, content) => {
        kept.set(id, content instanceof Uint8Array ? Buffer.from(content) : content);
        return Promise.resolve();
      },
      operation,
      Readable.from(chunksOf(Buffer.from(text), cut)),
    );
  return { kept, upload, reader: createManifestReader({ uploads: source }) };
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const signal = new AbortController().signal;
const schema = z.looseObject({ at: z.number() });
const limits = { maxItems: 3, maxBytes: 2_621_440, maxLines: 1_000 };
const toLines = (sizes: readonly number[]) =>
  sizes.map((size, at) => JSON.stringify({ at, filler: 'x'.repeat(size) })).join('\n');
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const KV_ITEM = { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'v' } };

const faultsOf = (act: () => Promise<unknown>) => thrownBy(act);

describe('uploading a list', () => {
  it('names it by what it holds, and gives every range of it back, wherever pieces and chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.nat(200), fc.integer({ min: 300_000, max: 1_500_000 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 10_000, max: 1_300_000 }),
        fc.boolean(),
        async (sizes, cut, endsWithLineFeed) => {
          const { kept, upload, reader } = createShelf();
          const text = toLines(sizes) + (endsWithLineFeed ? '\n' : '');

          const { manifest, lines, bytes } = await upload(text, { cut });

          expect(manifest).toEqual({ url: `upload:${digest(text)}`, sha256: digest(text) });
          expect({ lines, bytes }).toEqual({ lines: sizes.length, bytes: text.length });
          const pieces = [...kept.values()].filter((one) => one instanceof Uint8Array);
          expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(PIECE_BYTES);
          const { ranges } = await reader.scan(manifest, { schema, limits, signal });
          const read = await Promise.all(
            ranges.map((range) => reader.read(manifest, { schema, range, signal })),
          );
          const found = read.flat().map(({ value }) => value.at);
          expect(found).toEqual(sizes.map((_, at) => at));
        },
      ),
      { numRuns: 12 },
    );
  });

  it('keeps the index last: where there is one, there are all pieces', async () => {
    const { kept, upload } = createShelf();

    await upload(toLines([1_200_000, 1_200_000]));

    expect([...kept.keys()].map((id) => id.split('/')[0])).toEqual([
      'gcore-upload-piece',
      'gcore-upload-piece',
      'gcore-upload-piece',
      'gcore-upload',
    ]);
  });

  it('names the faults by line, and can be used for nothing then', async () => {
    const { kept, upload } = createShelf();

    const error = await faultsOf(() => upload('{"at": 1}\n{"at": 1\n7\n\n{"at": 5}'));

    expect(error).toMatchObject({
      name: 'InvalidInputError',
      faults: [
        { path: 'line 2', message: expect.stringContaining('is not JSON') },
        { path: 'line 3', message: expect.stringContaining('object') },
        { path: 'line 4', message: 'is empty: remove it' },
      ],
    });
    expect(kept.size).toBe(0);
  });

  it('lets nothing leave from the first fault on, however much follows', async () => {
    const { kept, upload } = createShelf();
    const secret = JSON.stringify({ instance: { password: 'hunter22' } });

    await faultsOf(() => upload(`${secret}\n${toLines([700_000, 700_000])}`));

    expect(kept.size).toBe(0);
  });

  it.each([
    ['no line', '', '(input)', /has no lines/],
    ['a line without an end', 'x'.repeat(2_700_000), 'line 1', /has more than 2621440 bytes/],
  ])('refuses a list with %s', async (...[, text, path, says]) => {
    const { upload } = createShelf();

    expect(await faultsOf(() => upload(text))).toMatchObject({
      faults: [{ path, message: expect.stringMatching(says) }],
    });
  });

  it('refuses more lines and more bytes than any run takes, and reads no further', async () => {
    const { upload } = createShelf();
    const long = Buffer.alloc(66 * 1024 ** 2, `${toLines([1_000_000])}\n`);

    const began = process.cpuUsage();
    expect(await faultsOf(() => upload('{}\n'.repeat(10_001)))).toMatchObject({
      faults: [{ path: 'line 10001', message: expect.stringContaining('split the list') }],
    });
    const least = process.cpuUsage(began).user;
    expect(await faultsOf(() => upload('{}\n'.repeat(700_000)))).toMatchObject({
      faults: [{ path: 'line 10001', message: expect.stringContaining('split the list') }],
    });
    // Seventy times as many lines cost no seventieth of that more.
    expect(process.cpuUsage(began).user).toBeLessThan(10 * least);
    expect(await faultsOf(() => upload(long, { cut: 1_000_000 }))).toMatchObject({
      faults: [{ message: expect.stringContaining('above the limit of 67108864 bytes') }],
    });
  });

  it.each<[string, ListOperation, object, string]>([
    ['a password', 'runBatch', { instance: { password: 'hunter22' } }, 'line 1, instance.password'],
    [
      'a masked value',
      'modifyKvStore',
      { ...KV_ITEM, payload: { value: 'aHVudGVyMjI=', encoding: 'masked' } },
      'line 1, payload.value',
    ],
    [
      'credentials in a URL',
      'importVideos',
      { name: 'a', origin_url: 'https://anna:hunter22@files.example.com/a.mp4' },
      'line 1, origin_url',
    ],
    [
      'credentials in a URL of an item of a batch',
      'runBatch',
      { videos: [{ name: 'a', origin_url: 'https://anna:hunter22@files.example.com/a.mp4' }] },
      'line 1, videos[0].origin_url',
    ],
  ])('refuses %s in clear, and repeats none of it', async (...[, operation, line, path]) => {
    const { kept, upload } = createShelf();

    const error = await faultsOf(() => upload(JSON.stringify(line), { operation }));

    expect(error).toMatchObject({ faults: [{ path }] });
    expect(String(error)).not.toMatch(/hunter22|aHVudGVyMjI/);
    expect(kept.size).toBe(0);
  });

  it('takes the name of a secret', async () => {
    const { upload } = createShelf();
    const line = { ...KV_ITEM, payload: { value: { $secret: 'token' }, encoding: 'masked' } };

    expect(await upload(JSON.stringify(line), { operation: 'modifyKvStore' })).toMatchObject({
      lines: 1,
    });
  });
});

describe('reading an uploaded list', () => {
  it('fails where it is not kept, and says what to do', async () => {
    const { kept, upload, reader } = createShelf();
    const { manifest } = await upload(toLines([1]));
    kept.clear();

    expect(await thrownBy(() => reader.scan(manifest, { schema, limits, signal }))).toMatchObject({
      type: 'ManifestUnreadable',
      message: expect.stringContaining('upload the same list again'),
    });
  });

  it.each(['a piece', 'the index'])('takes no other content for it: %s', async (what) => {
    const { kept, upload, reader } = createShelf();
    const { manifest } = await upload(toLines([1]));
    const other = await upload(toLines([2]));
    const index = kept.get(indexWorkflowId(other.manifest.sha256));
    const [[piece = '']] = [[...kept.keys()].filter((id) => id.startsWith('gcore-upload-piece/'))];
    if (what === 'a piece') kept.set(piece, Buffer.from(toLines([3])));
    else if (index !== undefined) kept.set(indexWorkflowId(manifest.sha256), index);
    const { url } = manifest;

    expect(await thrownBy(() => reader.scan({ url }, { schema, limits, signal }))).toMatchObject({
      type: what === 'a piece' ? 'ManifestUnreadable' : 'InvalidInput',
    });
  });

  it('is tried again while the server does not answer', async () => {
    const index = () => Promise.reject(new Error('14 UNAVAILABLE'));
    const uploads: UploadSource = { index, piece: () => Promise.resolve(undefined) };
    const reader = createManifestReader({ uploads });
    const manifest = { url: `upload:${digest('')}` };

    expect(await thrownBy(() => reader.scan(manifest, { schema, limits, signal }))).toMatchObject({
      type: 'ServiceUnavailable',
      nonRetryable: false,
    });
  });
});
