import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { z } from 'zod';

import { createManifestReader, type UploadSource } from '../../../src/activities/index.js';
import { UPLOAD_LIMITS } from '../../../src/client/uploads/kept-lists.js';
import type { Shelf, UploadFacts } from '../../../src/client/uploads/shelf.js';
import { uploadList, type UploadedList } from '../../../src/client/uploads/upload-list.js';
import type { ListOperation } from '../../../src/contract/uploads.js';
import {
  claimWorkflowId,
  indexWorkflowId,
  PIECE_BYTES,
  pieceWorkflowId,
  uploadOfId,
  type UploadIndex,
} from '../../../src/contract/wire/uploads.js';
import { thrownBy } from '../../support/http/in-activity.js';

/** What a server would keep. */
function createWorld() {
  const kept = new Map<string, { input?: Uint8Array | UploadIndex; facts?: UploadFacts }>();
  const source: UploadSource = {
    index(name) {
      const found = kept.get(indexWorkflowId(name))?.input;
      return Promise.resolve(found instanceof Uint8Array ? undefined : found);
    },
    piece(name, at) {
      const found = kept.get(pieceWorkflowId(name, at))?.input;
      return Promise.resolve(found instanceof Uint8Array ? found : undefined);
    },
  };
  const since = Date.now();
  const shelf: Shelf = {
    find: (id) => {
      const found = kept.get(id);
      return Promise.resolve(found && { runId: id, since, facts: found.facts });
    },
    keep(id, content) {
      if (kept.has(id)) return Promise.resolve(false);
      kept.set(id, content);
      return Promise.resolve(true);
    },
    remove(id) {
      kept.delete(id);
      return Promise.resolve();
    },
    isListed: (id) => Promise.resolve(kept.has(id)),
    list: () =>
      Promise.resolve(
        [...kept].flatMap(([runId, { facts }]) => {
          const found = uploadOfId(runId);
          return found === undefined ? [] : [{ ...found, runId, since, facts }];
        }),
      ),
  };
  const upload = (
    text: string | Buffer,
    { operation = 'runBatch', cut = 64_000 }: { operation?: ListOperation; cut?: number } = {},
  ): Promise<UploadedList> =>
    uploadList(
      { shelf, limits: UPLOAD_LIMITS },
      {
        ...{ operation, account: 'default', by: 'anna', hold: () => undefined },
        sendLarge: (send) => send(),
        chunks: Readable.from(chunksOf(Buffer.from(text), cut)),
      },
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
/** `limit.blobSize.error` of the Temporal server. */
const MOST_OF_A_PAYLOAD = 2 * 1024 ** 2;
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
          const { kept, upload, reader } = createWorld();
          const text = toLines(sizes) + (endsWithLineFeed ? '\n' : '');

          const { manifest, lines, bytes } = await upload(text, { cut });

          const sha256 = digest(text);
          expect(manifest).toEqual({ url: `upload:default/${sha256}`, sha256 });
          expect({ lines, bytes }).toEqual({ lines: sizes.length, bytes: text.length });
          const inputs = [...kept.values()].map(({ input }) => input);
          const pieces = inputs.filter((one) => one instanceof Uint8Array);
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

  it('keeps the claim first, and the index last: where there is one, there are all pieces', async () => {
    const { kept, upload } = createWorld();

    const { manifest } = await upload(toLines([1_200_000, 1_200_000]));

    const name = { account: 'default', sha256: manifest.sha256 };
    expect([...kept.keys()]).toEqual([
      claimWorkflowId(name),
      pieceWorkflowId(name, 0),
      pieceWorkflowId(name, 1),
      indexWorkflowId(name),
    ]);
  });

  it('fits each piece into a payload, also of text that hardly becomes shorter', async () => {
    const { kept, upload } = createWorld();
    const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
    // No name gets a value in it: among so many some are those of secrets.
    const usable = printable.filter((one) => !'"\\:=$/'.includes(one)).join('');
    const noise = Array.from(randomBytes(4_300_000), (byte) => usable[byte % usable.length]);
    const filler = [noise.slice(0, 2_100_000), noise.slice(2_100_000)];

    await upload(filler.map((part) => JSON.stringify({ filler: part.join('') })).join('\n'));

    const sizes = [...kept.values()].map(({ input }) =>
      input instanceof Uint8Array ? input.length : 0,
    );
    expect(Math.max(...sizes)).toBeLessThan(0.95 * MOST_OF_A_PAYLOAD);
    expect(Math.max(...sizes)).toBeGreaterThan(0.7 * MOST_OF_A_PAYLOAD);
  });

  it('names the faults by line, and can be used for nothing then', async () => {
    const { kept, upload } = createWorld();

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
    const { kept, upload } = createWorld();
    const secret = JSON.stringify({ instance: { password: 'hunter22' } });

    await faultsOf(() => upload(`${secret}\n${toLines([700_000, 700_000])}`));

    expect(kept.size).toBe(0);
  });

  it.each([
    ['no line', '', '(input)', /has no lines/],
    ['a line without an end', 'x'.repeat(2_700_000), 'line 1', /has more than 2621440 bytes/],
  ])('refuses a list with %s', async (...[, text, path, says]) => {
    const { upload } = createWorld();

    expect(await faultsOf(() => upload(text))).toMatchObject({
      faults: [{ path, message: expect.stringMatching(says) }],
    });
  });

  it('refuses more lines and more bytes than any run takes, and reads no further', async () => {
    const { upload } = createWorld();
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
    const { kept, upload } = createWorld();

    const error = await faultsOf(() => upload(JSON.stringify(line), { operation }));

    expect(error).toMatchObject({ faults: [{ path }] });
    expect(String(error)).not.toMatch(/hunter22|aHVudGVyMjI/);
    expect(kept.size).toBe(0);
  });

  it('takes the name of a secret', async () => {
    const { upload } = createWorld();
    const line = { ...KV_ITEM, payload: { value: { $secret: 'token' }, encoding: 'masked' } };

    expect(await upload(JSON.stringify(line), { operation: 'modifyKvStore' })).toMatchObject({
      lines: 1,
    });
  });
});

describe('reading an uploaded list', () => {
  it('fails where it is not kept, and says what to do', async () => {
    const { kept, upload, reader } = createWorld();
    const { manifest } = await upload(toLines([1]));
    kept.clear();

    expect(await thrownBy(() => reader.scan(manifest, { schema, limits, signal }))).toMatchObject({
      type: 'ManifestUnreadable',
      message: expect.stringContaining('upload the same list again'),
    });
  });

  it.each(['a piece', 'a longer piece', 'what is no piece', 'the index'])(
    'takes no other content for it: %s',
    async (what) => {
      const { kept, upload, reader } = createWorld();
      const { manifest } = await upload(toLines([1]));
      const other = await upload(
        what === 'a piece' ? toLines([1]).replace('0', '7') : toLines([2_000]),
      );
      const [name, otherName] = [manifest, other.manifest].map(({ sha256 }) => ({
        ...{ account: 'default', sha256 },
      }));
      if (name === undefined || otherName === undefined) throw new Error('no names');
      const take = (id: string, from: string) => kept.set(id, kept.get(from) ?? {});
      if (what === 'the index') take(indexWorkflowId(name), indexWorkflowId(otherName));
      else take(pieceWorkflowId(name, 0), pieceWorkflowId(otherName, 0));
      if (what === 'what is no piece') {
        kept.set(pieceWorkflowId(name, 0), { input: Buffer.from('{}') });
      }
      const { url } = manifest;

      expect(await thrownBy(() => reader.scan({ url }, { schema, limits, signal }))).toMatchObject({
        type: what === 'a piece' ? 'InvalidInput' : 'ManifestUnreadable',
      });
    },
  );

  it('is tried again while the server does not answer', async () => {
    const index = () => Promise.reject(new Error('14 UNAVAILABLE'));
    const uploads: UploadSource = { index, piece: () => Promise.resolve(undefined) };
    const reader = createManifestReader({ uploads });
    const manifest = { url: `upload:default/${digest('')}` };

    expect(await thrownBy(() => reader.scan(manifest, { schema, limits, signal }))).toMatchObject({
      type: 'ServiceUnavailable',
      nonRetryable: false,
    });
  });
});
