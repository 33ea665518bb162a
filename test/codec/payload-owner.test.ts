import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import fc from 'fast-check';

import { DecryptionError } from '../../src/codec/decryption-error.js';
import type { Plain } from '../../src/codec/key-ring.js';
import { openCodec } from '../../src/codec/open-codec.js';
import type { PayloadOwner } from '../../src/codec/payload-owner.js';

const KEYS = { key: randomBytes(32).toString('base64') };
const VALUE = { amount: 1 };
const PLAIN = defaultPayloadConverter.toPayload(VALUE);
const OWN = { namespace: 'shop', workflowId: 'order-1' };

const open = (plain: Plain = 'accept') => openCodec({ current: 'key', keys: KEYS, plain });

/** Shows each payload as its value. */
async function valuesIn(payloads: Promise<Payload[]>): Promise<unknown[]> {
  return (await payloads).map((payload) => defaultPayloadConverter.fromPayload<unknown>(payload));
}

async function encodeFor(owner?: PayloadOwner): Promise<Payload[]> {
  return (await open()).encode([PLAIN], owner);
}

describe('an encrypted payload', () => {
  it('opens for the run that it was written for, and for no other', async () => {
    const codec = await open();
    const ids = fc.oneof(fc.string(), fc.constantFrom('a', 'b","c', 'a"', ''));
    const owners = fc.record({ namespace: ids, workflowId: fc.oneof(ids, fc.constant(undefined)) });

    await fc.assert(
      fc.asyncProperty(owners, owners, async (writer, reader) => {
        const isTheirs =
          writer.namespace === reader.namespace &&
          [reader.workflowId, undefined, ''].includes(writer.workflowId);

        const read = codec.decode(await codec.encode([PLAIN], writer), reader);

        const seen = await valuesIn(read).catch((error: unknown) => [
          error instanceof DecryptionError,
        ]);
        expect(seen).toEqual([isTheirs ? VALUE : true]);
      }),
    );
  });

  it('does not open for another run when its owner is exchanged too', async () => {
    const codec = await open();
    const [moved = {}] = await encodeFor({ ...OWN, workflowId: 'order-2' });
    const [mine = {}] = await encodeFor(OWN);
    const metadata = {
      ...moved.metadata,
      'encryption-owner': mine.metadata?.['encryption-owner'] ?? new Uint8Array(),
    };

    await expect(codec.decode([{ ...moved, metadata }], OWN)).rejects.toThrow('does not open');
  });

  it('names the run that it was moved to, and what to do', async () => {
    const codec = await open();
    const moved = await encodeFor({ ...OWN, workflowId: 'order-2' });

    const error: unknown = await codec.decode(moved, OWN).catch((thrown: unknown) => thrown);

    expect(String(error)).toContain('was not written for "order-1" in the namespace "shop"');
    expect(error).toMatchObject({ nonRetryable: false, advice: expect.stringContaining('backup') });
  });

  it('opens for a run that a schedule has started with its own id and the time', async () => {
    const codec = await open();
    const read = (workflowId: string) =>
      valuesIn(encodeFor(OWN).then((payloads) => codec.decode(payloads, { ...OWN, workflowId })));

    expect(await read('order-1-2026-11-26T08:10:00Z')).toEqual([VALUE]);
    await expect(read('order-1-2026-11-26')).rejects.toThrow(DecryptionError);
    await expect(read('order-2-2026-11-26T08:10:00Z')).rejects.toThrow(DecryptionError);
  });

  it('that names nobody is shown, but taken by no run', async () => {
    const codec = await open();

    expect(await valuesIn(codec.decode(await encodeFor()))).toEqual([VALUE]);
    await expect(codec.decode(await encodeFor(), OWN)).rejects.toThrow(DecryptionError);
  });

  it('of another run is read by who asks for that, such as a Nexus caller', async () => {
    const caller = await openCodec({ current: 'key', keys: KEYS }, { readsOfOthers: true });

    const read = caller.decode(await encodeFor(OWN), { namespace: 'calling' });

    expect(await valuesIn(read)).toEqual([VALUE]);
  });
});

describe('a payload in clear', () => {
  it('is taken by a run unless the ring refuses it', async () => {
    const foreign = { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.of(1) };

    expect(await (await open()).decode([PLAIN, foreign], OWN)).toEqual([PLAIN, foreign]);
    for (const payload of [PLAIN, foreign]) {
      await expect((await open('refuse')).decode([payload], OWN)).rejects.toThrow(
        'The payload is not encrypted, and the key ring refuses what is not.',
      );
    }
  });

  it('is shown to who reads for nobody, such as the Temporal UI, also when it is refused', async () => {
    expect(await (await open('refuse')).decode([PLAIN])).toEqual([PLAIN]);
  });
});
