import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';

import { doesNotOpen, noKeys, unknownForm, unknownKey } from './decryption-error.js';
import type { KeyRing } from './key-ring.js';

export type { Payload } from '@temporalio/common';

/** Encrypts and decrypts payloads; see docs/secure.md. */
export interface Codec extends PayloadCodec {
  /** False: it encrypts nothing, and only says what is missing when it meets something encrypted. */
  readonly hasKeys: boolean;
}

export interface KeyStore {
  /** The ring as far as this process knows it. */
  last: () => KeyRing;
  /** The ring as it is now. */
  look: () => Promise<KeyRing>;
}

/** As in Temporal's samples, in all languages. */
const ENCODING = 'binary/encrypted';
const FORM = 'gcore-1';

/** Names of the metadata of an encrypted payload. */
const Field = { encoding: 'encoding', form: 'encryption-form', key: 'encryption-key-id' } as const;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/**
 * AES-256-GCM over the whole payload, its metadata included. The data is a fresh random IV of 12 bytes, the
 * ciphertext and the tag of 16 bytes; the form and the id of the key are authenticated with it. What is not encrypted
 * in this form passes unchanged: callers in other languages start runs with plain JSON.
 */
export function createCodec(store: KeyStore | undefined): Codec {
  return {
    hasKeys: store !== undefined,

    // `async`, so that a fault rejects.
    async encode(payloads) {
      const ring = store?.last();
      const key = ring?.current === undefined ? undefined : ring.keys.get(ring.current);
      if (ring?.current === undefined || key === undefined) return payloads;
      return Promise.resolve(encryptAll(payloads, ring.current, key));
    },

    async decode(payloads) {
      return Promise.all(payloads.map((payload) => decryptOne(payload, store)));
    },
  };
}

function encryptAll(payloads: readonly Payload[], id: string, key: KeyObject): Payload[] {
  return payloads.map((payload) => encrypt(payload, id, key));
}

function encrypt(payload: Payload, id: string, key: KeyObject): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS).setAAD(labelOf(FORM, id));
  const { Payload: PayloadProto } = proto.temporal.api.common.v1;
  const clear = PayloadProto.encode(payload).finish();
  return {
    metadata: {
      [Field.encoding]: Buffer.from(ENCODING),
      [Field.form]: Buffer.from(FORM),
      [Field.key]: Buffer.from(id),
    },
    data: Buffer.concat([iv, cipher.update(clear), cipher.final(), cipher.getAuthTag()]),
  };
}

/** What is authenticated beside the ciphertext. Neither part has a colon. */
function labelOf(form: string, id: string): Buffer {
  return Buffer.from(`${form}:${id}`);
}

async function decryptOne(payload: Payload, store: KeyStore | undefined): Promise<Payload> {
  const form = textOf(payload, Field.form);
  if (textOf(payload, Field.encoding) !== ENCODING || !form.startsWith('gcore-')) return payload;
  if (form !== FORM) throw unknownForm(form);
  const id = textOf(payload, Field.key);
  if (store === undefined) throw noKeys(id);
  // A key that was added a moment ago counts.
  const key = store.last().keys.get(id) ?? (await store.look()).keys.get(id);
  if (key === undefined) throw unknownKey(id, store.last().keys.keys());
  return decrypt(payload, id, key);
}

function decrypt({ data }: Payload, id: string, key: KeyObject): Payload {
  const bytes = Buffer.from(data ?? []);
  if (bytes.length < IV_BYTES + TAG_BYTES) throw doesNotOpen(id);
  try {
    const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), OPTIONS)
      .setAAD(labelOf(FORM, id))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const clear = Buffer.concat([
      opener.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
      opener.final(),
    ]);
    return proto.temporal.api.common.v1.Payload.decode(clear);
  } catch {
    throw doesNotOpen(id);
  }
}

function textOf({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString();
}
