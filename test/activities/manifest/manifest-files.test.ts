import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import * as fc from 'fast-check';
import { z } from 'zod';

import {
  createManifestReader,
  type ManifestReader,
} from '../../../src/activities/manifest/create-manifest-reader.js';
import { createManifestRoot, toLines } from '../../support/worlds/manifests.js';
import { thrownBy } from '../../support/http/in-activity.js';

const schema = z.strictObject({ name: z.string(), size: z.number().optional() });
const signal = new AbortController().signal;
const limits = { maxItems: 3, maxBytes: 1_000, maxLines: 1_000 };

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `video ${at}` }));

function readerOf(content: string | Buffer): ManifestReader {
  return createManifestReader({ root: createManifestRoot({ 'a.jsonl': content }) });
}

const manifest = { url: 'file:a.jsonl' };
const scan = (reader: ManifestReader, request: object = {}) =>
  reader.scan(manifest, { schema, limits: { ...limits, ...request }, signal });

const valuesOf = (read: readonly { value: unknown }[]) => read.map(({ value }) => value);

async function failureOf(act: () => Promise<unknown>): Promise<ApplicationFailure> {
  const error = await thrownBy(act);
  if (error instanceof ApplicationFailure) return error;
  throw new Error('no ApplicationFailure', { cause: error });
}

describe('scanning a manifest', () => {
  it('counts, digests and cuts the lines into ranges', async () => {
    const content = toLines(items(7));
    const found = await scan(readerOf(content));

    expect(found).toMatchObject({ lines: 7, bytes: content.length });
    expect(found.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(found.ranges.map(({ line, count }) => [line, count])).toEqual([
      [1, 3],
      [4, 3],
      [7, 1],
    ]);
  });

  it('limits ranges by bytes, and cuts after a given line', async () => {
    const lengthOfOne = toLines(items(1)).length;
    const reader = readerOf(toLines(items(7)));

    const byBytes = await scan(reader, { maxBytes: 2 * lengthOfOne });
    const cut = await scan(reader, { cutAfter: 2 });

    expect(byBytes.ranges.map(({ count }) => count)).toEqual([2, 2, 2, 1]);
    expect(cut.ranges.map(({ count }) => count)).toEqual([2, 3, 2]);
  });

  it('names every fault by line and path without its value', async () => {
    const lines = [
      '{"name":"a"}',
      '{"name":1}',
      'sftp://u:secret@h',
      '',
      '{"name":"e","typo":"secret"}',
    ];
    const failure = await failureOf(() => scan(readerOf(`${lines.join('\n')}\n`)));

    expect(failure.type).toBe('InvalidInput');
    expect(failure.details?.[0]).toMatchObject({
      faults: [
        { path: 'line 2, name', message: 'must be a text' },
        { path: 'line 3', message: 'is not JSON: each line must be one whole object' },
        { path: 'line 4', message: 'is empty: remove it' },
        { path: 'line 5, typo' },
      ],
    });
    expect(failure.message).not.toContain('secret');
  });

  it('names only the first of many faults', async () => {
    const failure = await failureOf(() => scan(readerOf('x\n'.repeat(500))));

    expect(failure.message).toContain('500 faults');
    expect(failure.message).toContain('480 more faults');
  });

  it('judges no line after a thousand faults, and says of how many', async () => {
    const failure = await failureOf(() => scan(readerOf('{"typo":1}\n'.repeat(900))));

    expect(failure.message).toContain('1000 faults');
    expect(failure.message).toContain('980 more faults');
    expect(failure.message).toContain('400 lines after these were not judged');
  });

  it.each([
    ['no lines', '', {}, 'has no lines'],
    [
      'too many lines',
      toLines(items(5)),
      { maxLines: 4 },
      'line 5: is above the limit of 4 lines per run',
    ],
    ['a line without end', `{"name":"${'x'.repeat(5_000)}"}`, {}, 'line 1: has more than 1000'],
    ['too many bytes', toLines(items(9)), { maxTotalBytes: 50 }, 'manifest: has more than 50'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'line 1: is not UTF-8'],
  ])('refuses %s', async (...[, content, request, words]) => {
    const failure = await failureOf(() => scan(readerOf(content), request));

    expect(failure.type).toBe('InvalidInput');
    expect(failure.message).toContain(words);
  });

  it('accepts a byte order mark, Windows line ends and a last line without an end', async () => {
    const found = await scan(readerOf('\ufeff{"name":"a"}\r\n{"name":"b"}'));

    expect(found.lines).toBe(2);
  });

  it('refuses a manifest with another SHA-256 than the input names', async () => {
    const reader = readerOf(toLines(items(2)));
    const { sha256 } = await scan(reader);
    const other = { ...manifest, sha256: '0'.repeat(64) };

    await reader.scan({ ...manifest, sha256 }, { schema, limits, signal });
    const failure = await failureOf(() => reader.scan(other, { schema, limits, signal }));

    expect(failure.type).toBe('InvalidInput');
    expect(failure.message).toContain('manifest.sha256');
  });
});

describe('reading a range again', () => {
  it('returns each line once and in order, whatever the sizes', async () => {
    const anyItems = fc.array(fc.record({ name: fc.string({ unit: 'grapheme' }) }), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        anyItems,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (all, maxItems, ended) => {
          const lines = toLines(all);
          const reader = readerOf(ended ? lines : lines.slice(0, -1));
          const { ranges } = await scan(reader, { maxItems });
          const read = [];
          for (const range of ranges)
            read.push(...(await reader.read(manifest, { schema, range, signal })));

          expect(valuesOf(read)).toEqual(all);
          expect(read.map(({ line }) => line)).toEqual(all.map((_, at) => at + 1));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns only the selected lines, in ranges of their own size', async () => {
    const reader = readerOf(toLines(items(40)));
    const only = new Set([2, 3, 17, 38, 40]);
    const { ranges, lines } = await scan(reader, { only });
    const read = [];
    for (const range of ranges) {
      read.push(...(await reader.read(manifest, { schema, range, signal })));
    }
    const beyond = await failureOf(() => scan(reader, { only: new Set([41]) }));

    expect(ranges.map(({ line, count, only: taken }) => [line, count, taken])).toEqual([
      [2, 3, '2-3 17'],
      [38, 2, '38 40'],
    ]);
    expect(lines).toBe(40);
    expect(ranges[0]?.bytes).toBe(toLines(items(17).slice(1)).length);
    expect(read.map(({ line }) => line)).toEqual([...only]);
    expect(read[2]?.value).toEqual({ name: 'video 16' });
    expect(beyond.message).toContain('lines: names line 41, but the last line is 40');
  });

  it('refuses changed lines, and still reads the unchanged ones', async () => {
    const root = createManifestRoot({ 'a.jsonl': items(6) });
    const reader = createManifestReader({ root });
    const { ranges } = await scan(reader);
    writeFileSync(join(root, 'a.jsonl'), toLines(items(6)).replace('video 1', 'other 1'));
    const read = ranges.map((range) => () => reader.read(manifest, { schema, range, signal }));
    const [first, second] = read;
    if (first === undefined || second === undefined) throw new Error('two ranges');

    const failure = await failureOf(first);

    expect(failure.type).toBe('ManifestUnreadable');
    expect(failure.message).toContain('from 1 on');
    expect(valuesOf(await second())).toEqual(items(6).slice(3));
  });

  it('refuses a manifest that is shorter or missing, and accepts one that has grown', async () => {
    const root = createManifestRoot({ 'a.jsonl': items(6) });
    const reader = createManifestReader({ root });
    const { ranges } = await scan(reader);
    const last = ranges.at(-1);
    if (last === undefined) throw new Error('a range');
    const read = () => reader.read(manifest, { schema, range: last, signal });

    appendFileSync(join(root, 'a.jsonl'), 'more\n');
    expect(await read()).toHaveLength(3);
    writeFileSync(join(root, 'a.jsonl'), toLines(items(5)));
    expect((await failureOf(read)).type).toBe('ManifestUnreadable');
    renameSync(join(root, 'a.jsonl'), join(root, 'b.jsonl'));
    expect((await failureOf(read)).message).toContain('ENOENT');
  });
});
