import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';

import {
  doesNotOpen,
  noKeys,
  notEncrypted,
  notForThisRun,
  unknownForm,
  unknownKey,
} from './decryption-error.js';
import { Plain, type KeyRing } from './key-ring.js';
import { digestOf, isFor, type PayloadOwner } from './payload-owner.js';

export type { Payload } from '@temporalio/common';

/** A `PayloadCodec` of Temporal that encrypts and decrypts; see docs/secure.md. */
export interface Codec {
  /** False: it encrypts nothing, and only says what is missing when it meets something encrypted. */
  readonly hasKeys: boolean;
  /** @param owner whom the payloads are for; without one no run takes them for its own */
  encode(payloads: Payload[], owner?: PayloadOwner): Promise<Payload[]>;
  /**
   * @param owner who reads them; without one, whatever the keys open is shown
   * @throws DecryptionError when a key is missing, and when a payload was changed or is not for the owner
   */
  decode(payloads: Payload[], owner?: PayloadOwner): Promise<Payload[]>;
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
const Field = {
  encoding: 'encoding',
  form: 'encryption-form',
  key: 'encryption-key-id',
  owner: 'encryption-owner',
} as const;

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const OPTIONS = { authTagLength: TAG_BYTES } as const;

export interface CodecOptions {
  /**
   * Reads what was written for other runs too. For the worker of a Nexus caller: the result that it gets belongs to
   * the run that the operation has started.
   */
  readsOfOthers?: boolean;
}

/** What a payload is encrypted with, and for whom. Both are authenticated. */
interface Seal {
  /** Id of the key. */
  key: string;
  /** Digest of the owner; empty without one. */
  owner: Uint8Array;
}

/**
 * AES-256-GCM over the whole payload, its metadata included. The data is a fresh random IV of 12 bytes, the
 * ciphertext and the tag of 16 bytes; the form, the id of the key and the owner are authenticated with it, so a payload
 * that is moved to another run does not open there. What is not encrypted in this form passes unchanged, unless the
 * ring refuses it: callers in other languages start runs with plain JSON.
 */
export function createCodec(
  store: KeyStore | undefined,
  { readsOfOthers = false }: CodecOptions = {},
): Codec {
  return {
    hasKeys: store !== undefined,

    // `async`, so that a fault rejects.
    async encode(payloads, owner) {
      const ring = store?.last();
      const key = ring?.current === undefined ? undefined : ring.keys.get(ring.current);
      if (ring?.current === undefined || key === undefined) return payloads;
      const digest = owner === undefined ? Buffer.alloc(0) : digestOf(owner);
      const seal = { key: ring.current, owner: digest };
      return Promise.resolve(payloads.map((payload) => encrypt(payload, seal, key)));
    },

    async decode(payloads, owner) {
      const reader = readsOfOthers ? undefined : owner;
      return Promise.all(payloads.map((payload) => decryptOne(payload, store, reader)));
    },
  };
}

function encrypt(payload: Payload, seal: Seal, key: KeyObject): Payload {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS).setAAD(labelOf(seal));
  const { Payload: PayloadProto } = proto.temporal.api.common.v1;
  const clear = PayloadProto.encode(payload).finish();
  return {
    metadata: {
      [Field.encoding]: Buffer.from(ENCODING),
      [Field.form]: Buffer.from(FORM),
      [Field.key]: Buffer.from(seal.key),
      [Field.owner]: seal.owner,
    },
    data: Buffer.concat([iv, cipher.update(clear), cipher.final(), cipher.getAuthTag()]),
  };
}

/** What is authenticated beside the ciphertext. No part has a colon. */
function labelOf({ key, owner }: Seal): Buffer {
  return Buffer.from(`${FORM}:${key}:${Buffer.from(owner).toString('hex')}`);
}

async function decryptOne(
  payload: Payload,
  store: KeyStore | undefined,
  reader: PayloadOwner | undefined,
): Promise<Payload> {
  const form = textOf(payload, Field.form);
  if (textOf(payload, Field.encoding) !== ENCODING || !form.startsWith('gcore-')) {
    if (reader !== undefined) await refusePlain(store);
    return payload;
  }
  if (form !== FORM) throw unknownForm(form);
  const id = textOf(payload, Field.key);
  const owner = payload.metadata?.[Field.owner] ?? Buffer.alloc(0);
  const clear = decrypt(payload, { key: id, owner }, await keyOf(id, store));
  if (reader !== undefined && !isFor(reader, owner)) throw notForThisRun(reader);
  return clear;
}

/** What an idle program has read last may be of yesterday. */
async function refusePlain(store: KeyStore | undefined): Promise<void> {
  const ring = await store?.look();
  if (ring?.plain === Plain.refuse) throw notEncrypted();
}

async function keyOf(id: string, store: KeyStore | undefined): Promise<KeyObject> {
  if (store === undefined) throw noKeys(id);
  // A key that was added a moment ago counts.
  const key = store.last().keys.get(id) ?? (await store.look()).keys.get(id);
  if (key === undefined) throw unknownKey(id, store.last().keys.keys());
  return key;
}

function decrypt({ data }: Payload, seal: Seal, key: KeyObject): Payload {
  const bytes = Buffer.from(data ?? []);
  if (bytes.length < IV_BYTES + TAG_BYTES) throw doesNotOpen(seal.key);
  try {
    const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), OPTIONS)
      .setAAD(labelOf(seal))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const clear = Buffer.concat([
      opener.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
      opener.final(),
    ]);
    return proto.temporal.api.common.v1.Payload.decode(clear);
  } catch {
    throw doesNotOpen(seal.key);
  }
}

function textOf({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString();
}
