import { createSecretKey, type KeyObject } from 'node:crypto';

import { z } from 'zod';

import { formatJsonFault, parseJson } from '../contract/parse-json.js';
import { parseInput } from '../engine/schema/parse-input.js';
import type { ParsedFile } from '../files/fresh-file.js';

/** A key ring as JSON writes it. */
export interface KeyRingJson {
  /** Id of the key that encrypts. `null`: the ring only decrypts, and what is new stays in clear. */
  current: string | null;
  /** Base64 of 32 random bytes, by id. */
  keys: Readonly<Record<string, string>>;
  /** What runs do with a payload that is not encrypted; `accept` by default. */
  plain?: Plain | undefined;
}

export const Plain = { accept: 'accept', refuse: 'refuse' } as const;
export type Plain = (typeof Plain)[keyof typeof Plain];

/** The current key encrypts, every key decrypts. */
export interface KeyRing {
  current: string | undefined;
  keys: ReadonlyMap<string, KeyObject>;
  plain: Plain;
}

export const KEY_BYTES = 32;
/** Random bytes are never as monotonous as a placeholder. */
const MIN_DIFFERENT_BYTES = 12;

const keySchema = z.string().superRefine((text, context) => {
  const fault = keyFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const idSchema = z.string().regex(/^[\w.-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, "_", "." or "-": it is stored with each payload',
});

const ringSchema = z
  .strictObject({
    current: z.string().nullable(),
    keys: z.record(idSchema, keySchema),
    plain: z.enum(Plain, { error: 'must be "accept" or "refuse"' }).default(Plain.accept),
  })
  .superRefine(({ current, keys, plain }, context) => {
    if (Object.keys(keys).length === 0) {
      context.addIssue({ code: 'custom', path: ['keys'], message: 'must have at least one key' });
    }
    if (current !== null && !Object.hasOwn(keys, current)) {
      const message = 'must be the id of one of the keys, or null to encrypt nothing yet';
      context.addIssue({ code: 'custom', path: ['current'], message });
    }
    if (current === null && plain === Plain.refuse) {
      const message = 'cannot be "refuse" while "current" is null: what is new is not encrypted';
      context.addIssue({ code: 'custom', path: ['plain'], message });
    }
    const ids = new Map<string, string>();
    for (const [id, key] of Object.entries(keys)) {
      const twin = ids.get(key.trim());
      const message = `is the same key as "${twin ?? ''}": a new key needs new random bytes`;
      if (twin !== undefined) context.addIssue({ code: 'custom', path: ['keys', id], message });
      ids.set(key.trim(), id);
    }
  });

function keyFault(text: string): string | undefined {
  const bytes = Buffer.from(text.trim(), 'base64');
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(text.trim());
  if (!isBase64 || bytes.length !== KEY_BYTES) {
    return `must be base64 of ${KEY_BYTES} bytes; make one with: gcore-workflows codec key`;
  }
  return new Set(bytes).size < MIN_DIFFERENT_BYTES
    ? 'is no random key; make one with: gcore-workflows codec key'
    : undefined;
}

/**
 * Parses a key ring. The faults name places, never values.
 *
 * @param before the ring that this one replaces: no key of it may come back with another value under its id, because
 * everything that the old one has encrypted would be lost.
 */
export function parseKeyRing(text: string, before?: KeyRing): ParsedFile<KeyRing> {
  const json = parseJson(text);
  if (!json.ok) return { ok: false, faults: [formatJsonFault(json)] };
  const parsed = parseInput(ringSchema, json.value);
  if (!parsed.ok) {
    return { ok: false, faults: parsed.faults.map(({ path, message }) => `${path}: ${message}`) };
  }
  const { current, keys, plain } = parsed.value;
  const ring: KeyRing = {
    current: current ?? undefined,
    keys: new Map(Object.entries(keys).map(([id, key]) => [id, toKey(key)])),
    plain,
  };
  const faults = [...ring.keys].flatMap(([id, key]) => {
    const isSame = before?.keys.get(id)?.equals(key) ?? true;
    return isSame ? [] : [`keys.${id}: has another value than before; give a new key a new id`];
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: ring };
}

/** A key object shows its value in no log. */
function toKey(text: string): KeyObject {
  return createSecretKey(Buffer.from(text.trim(), 'base64'));
}

/** As it is written into a file. */
export function toJson({ current, keys, plain }: KeyRing): KeyRingJson {
  const texts = [...keys].map(([id, key]) => [id, key.export().toString('base64')] as const);
  return { current: current ?? null, keys: Object.fromEntries(texts), plain };
}
