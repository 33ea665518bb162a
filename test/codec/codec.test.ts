import { createCipheriv, createHash, randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import fc from 'fast-check';

import type { Codec } from '../../src/codec/codec.js';
import { DecryptionError } from '../../src/codec/decryption-error.js';
import { openCodec } from '../../src/codec/open-codec.js';
import { FailureType } from '../../src/engine/core/failures.js';

const newKey = (): string => randomBytes(32).toString('base64');
const [OLD, NEW] = [newKey(), newKey()];

const open = (current: string | null, ...ids: ('old' | 'new')[]): Promise<Codec> => {
  const keys = Object.fromEntries(ids.map((id) => [id, id === 'old' ? OLD : NEW]));
  return openCodec({ current, keys });
};
const toPayload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const textOf = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes ?? []).toString();

async function through(from: Codec, to: Codec, payload: Payload): Promise<unknown> {
  const [decoded] = await to.decode(await from.encode([payload]));
  return decoded && defaultPayloadConverter.fromPayload<unknown>(decoded);
}

async function encodeOne(codec: Codec, payload: Payload): Promise<Payload> {
  const [encoded = {}] = await codec.encode([payload]);
  return encoded;
}

describe('the payload codec', () => {
  it('gives back any JSON, and nothing of it shows meanwhile', async () => {
    const codec = await open('new', 'new');

    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        // JSON knows no -0.
        const sent: unknown = JSON.parse(JSON.stringify(value));
        expect(await through(codec, codec, toPayload(value))).toEqual(sent);
      }),
    );
    const encoded = await encodeOne(codec, toPayload({ password: 'canary-1' }));
    expect(Buffer.from(encoded.data ?? []).toString('latin1')).not.toContain('canary-1');
    expect(Object.keys(encoded.metadata ?? {}).sort()).toEqual([
      'encoding',
      'encryption-form',
      'encryption-key-id',
      'encryption-owner',
    ]);
  });

  it('gives back bytes and nothing at all', async () => {
    const codec = await open('new', 'new');

    expect(await through(codec, codec, toPayload(undefined))).toBeUndefined();
    expect(await through(codec, codec, toPayload(Uint8Array.of(0, 255)))).toEqual(
      Uint8Array.of(0, 255),
    );
  });

  it('is what docs/secure.md says: IV, ciphertext and tag, with form, key and owner as associated data', async () => {
    const codec = await open('new', 'new');
    const iv = Buffer.alloc(12, 7);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(NEW, 'base64'), iv);
    const owner = createHash('sha256').update('["shop","order-1"]').digest();
    cipher.setAAD(Buffer.from(`gcore-1:new:${owner.toString('hex')}`));
    // The message temporal.api.common.v1.Payload of {"encoding": "json/plain"} and the data "1".
    const clear = Buffer.from(`\n\x16\n\x08encoding\x12\njson/plain\x12\x011`);
    const data = Buffer.concat([iv, cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
    const metadata = {
      encoding: Buffer.from('binary/encrypted'),
      'encryption-form': Buffer.from('gcore-1'),
      'encryption-key-id': Buffer.from('new'),
      'encryption-owner': owner,
    };

    const reader = { namespace: 'shop', workflowId: 'order-1' };
    const [decoded = {}] = await codec.decode([{ metadata, data }], reader);

    expect(defaultPayloadConverter.fromPayload(decoded)).toBe(1);
  });

  it('uses a fresh IV for each payload', async () => {
    const codec = await open('new', 'new');
    const same = Array.from({ length: 100 }, () => toPayload('the same'));

    const ivs = (await codec.encode(same)).map(({ data }) =>
      Buffer.from(data ?? [])
        .subarray(0, 12)
        .toString('hex'),
    );

    expect(new Set(ivs).size).toBe(100);
  });

  it('encrypts with the current key and decrypts with every key', async () => {
    const before = await open('old', 'old');
    const both = await open('new', 'old', 'new');

    expect(await through(before, both, toPayload(1))).toBe(1);
    expect(await through(both, both, toPayload(2))).toBe(2);
    const encoded = await encodeOne(both, toPayload(3));
    expect(textOf(encoded.metadata?.['encryption-key-id'])).toBe('new');
  });

  it('accepts plain JSON of other callers, and what another codec has encrypted', async () => {
    const codec = await open('new', 'new');
    const plain = toPayload({ projectId: 1 });
    const foreign = { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.of(1) };

    expect(await codec.decode([plain, foreign])).toEqual([plain, foreign]);
  });

  it('encrypts nothing while no key is current, and decrypts all the same', async () => {
    const reading = await open(null, 'new');
    const plain = toPayload(1);

    expect(await reading.encode([plain])).toEqual([plain]);
    expect(await through(await open('new', 'new'), reading, toPayload(2))).toBe(2);
  });

  it('names the missing key, and fails as something that is tried again', async () => {
    const encoded = await encodeOne(await open('new', 'new'), toPayload('canary-2'));

    const [none, other] = await Promise.all(
      [await openCodec(undefined), await open('old', 'old')].map((codec) =>
        codec.decode([encoded]).catch((error: unknown) => error),
      ),
    );

    for (const error of [none, other]) {
      expect(error).toBeInstanceOf(DecryptionError);
      expect(error).toBeInstanceOf(ApplicationFailure);
      expect(error).toMatchObject({ type: 'DecryptionFailed', nonRetryable: false });
      expect(String(error)).toContain('"new"');
    }
    expect(String(other)).toContain('it has old');
    expect(String(none)).toContain('GCORE_CODEC_KEYS_FILE');
  });

  it('refuses what was changed, cut, put under another id, or encrypted in a later form', async () => {
    const both = await open('new', 'old', 'new');
    const encoded = await encodeOne(both, toPayload({ amount: 1 }));
    const data = Buffer.from(encoded.data ?? []);
    const metadata = { ...encoded.metadata };
    const flip = (at: number) =>
      Buffer.from(data.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    // The same bytes under another id.
    const twins = await openCodec({ current: 'copy', keys: { copy: NEW } });
    const under = (id: string) => ({ ...metadata, 'encryption-key-id': Buffer.from(id) });

    const bad: [Codec, Payload][] = [
      [both, { metadata, data: flip(0) }],
      [both, { metadata, data: flip(20) }],
      [both, { metadata, data: flip(data.length - 1) }],
      [both, { metadata, data: data.subarray(0, 27) }],
      [both, { metadata, data: null }],
      [both, { metadata: under('old'), data }],
      [twins, { metadata: under('copy'), data }],
      [both, { metadata: { ...metadata, 'encryption-form': Buffer.from('gcore-2') }, data }],
    ];
    for (const [codec, payload] of bad) {
      await expect(codec.decode([payload])).rejects.toThrow(DecryptionError);
    }
  });

  it('makes a payload at most 220 bytes larger', async () => {
    const codec = await openCodec({ current: 'k'.repeat(64), keys: { ['k'.repeat(64)]: NEW } });

    for (const size of [0, 100, 1_900_000]) {
      const payload = toPayload('x'.repeat(size));
      const encoded = await encodeOne(codec, payload);
      const grown = sizeOf(encoded) - sizeOf(payload);
      expect(grown).toBeLessThan(220);
    }
  });
});

/** As the Temporal server counts it. */
function sizeOf({ data, metadata = {} }: Payload): number {
  const entries = Object.entries(metadata ?? {});
  const known = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return known + (data?.length ?? 0);
}

describe('a DecryptionError', () => {
  it('is known as one from another copy of its module, and a failure of its type is not one', () => {
    const failure = ApplicationFailure.create({ type: FailureType.decryptionFailed });

    expect(failure).not.toBeInstanceOf(DecryptionError);
    expect(Object.assign(failure, { advice: 'Add the key.' })).toBeInstanceOf(DecryptionError);
  });
});
