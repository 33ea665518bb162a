import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';

import { openCodec, type Ring } from '../../src/codec/open-codec.js';
import { until } from '../support/timing/until.js';

const newKey = (): string => randomBytes(32).toString('base64');
const [A, B] = [newKey(), newKey()];
const PLAIN = defaultPayloadConverter.toPayload('x');

let folder = '';
let file = '';
const faults: string[] = [];
const changes: Ring[] = [];

const open = () =>
  openCodec(
    { file },
    { onFault: (fault) => faults.push(fault), onChange: (ring) => changes.push(ring) },
  );
const write = (ring: object) => writeFile(file, JSON.stringify(ring));

async function keyInUse(codec: Awaited<ReturnType<typeof open>>): Promise<string> {
  const [encoded] = await codec.encode([PLAIN]);
  return Buffer.from(encoded?.metadata?.['encryption-key-id'] ?? []).toString();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codec-'));
  file = join(folder, 'keys.json');
  faults.length = 0;
  changes.length = 0;
  await write({ current: 'a', keys: { a: A } });
});

afterEach(() => rm(folder, { recursive: true }));

describe('a codec with a file of keys', () => {
  it('encrypts with a key that becomes current, without a restart', async () => {
    const codec = await open();
    expect(await keyInUse(codec)).toBe('a');
    await writeFile(`${file}.new`, JSON.stringify({ current: 'b', keys: { a: A, b: B } }));
    await rename(`${file}.new`, file);

    await until('the new key encrypts', async () => (await keyInUse(codec)) === 'b');

    expect(changes).toEqual([{ current: 'b', ids: ['a', 'b'], plain: 'accept' }]);
  });

  it('knows a key that was added a moment ago, as soon as it needs it', async () => {
    const [codec, other] = [await open(), await openCodec({ current: 'b', keys: { b: B } })];
    const encoded = await other.encode([PLAIN]);
    await expect(codec.decode(encoded)).rejects.toThrow('"b"');

    await write({ current: 'a', keys: { a: A, b: B } });
    const [decoded] = await codec.decode(encoded);

    expect(decoded && defaultPayloadConverter.fromPayload(decoded)).toBe('x');
  });

  it.each([
    ['half-written', '{"current": "a", "ke'],
    ['with another value under a known id', JSON.stringify({ current: 'a', keys: { a: B } })],
  ])('keeps its keys when the file is %s, and says so once', async (_, text) => {
    const codec = await open();
    const encoded = await codec.encode([PLAIN]);
    await writeFile(file, text);

    await until('the fault is told', async () => (await keyInUse(codec), faults.length > 0));
    const seen = performance.now();
    await until('it was looked at again', async () => {
      await keyInUse(codec);
      return performance.now() - seen > 1_500;
    });

    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toContain(B);
    expect(await codec.decode(encoded)).toMatchObject([{ data: PLAIN.data }]);
  });

  it('does not open with a file that is missing or wrong', async () => {
    await write({});
    await expect(open()).rejects.toThrow('current: is missing; keys: is missing');
    await rm(file);
    await expect(open()).rejects.toThrow('cannot be read (ENOENT)');
  });
});
