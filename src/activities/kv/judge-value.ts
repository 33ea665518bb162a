import { createHash } from 'node:crypto';

import { timestampSchema } from '../../contract/api/cloud.js';
import type { KvMember, KvValue, ShownValue } from '../../contract/api/fastedge.js';
import { bytesOf } from './expected-of.js';

/** The outcome of reading one key back. */
export type Judgement =
  | { kind: 'same' }
  | { kind: 'differs'; why: string }
  /** The API does not show enough to compare. */
  | { kind: 'unknown'; why: string };

export const SAME: Judgement = { kind: 'same' };

export function differs(why: string): Judgement {
  return { kind: 'differs', why };
}

export function unknown(why: string): Judgement {
  return { kind: 'unknown', why };
}

/** Compares the value of a plain key, or its hash, and its expiry. */
export function judgeValue(expected: KvValue, shown: ShownValue): Judgement {
  if (expected.encoding === 'masked') return unknown('the API never returns masked values');
  if (!isShown(shown)) return unknown('the API does not show the value');
  if (!holds(expected, shown)) return differs('holds another value');
  return judgeExpiry(expected.expiry, shown.expiry ?? undefined);
}

/** A masked value is not shown, whatever stands in its place. */
export function isShown({ value, encoding }: ShownValue): boolean {
  return value !== undefined && encoding !== 'masked';
}

function judgeExpiry(expected: string | undefined, shown: string | undefined): Judgement {
  if (expected === undefined) return shown === undefined ? SAME : differs(expiryText(shown));
  if (shown === undefined) return unknown('the API does not show when the key expires');
  // The API may store whole seconds.
  const shownAt = timestampSchema.safeParse(shown).data ?? '';
  const apartMs = Math.abs(Date.parse(expected) - Date.parse(shownAt));
  return apartMs < 1_000 ? SAME : differs(expiryText(shown));
}

/** A time of the API, and no other text of it. */
function expiryText(shown: string): string {
  const isTime = /^[\d:.TZ+-]+$/.test(shown) && !Number.isNaN(Date.parse(shown));
  return `expires at ${isTime ? shown : 'another time'}`;
}

function holds(expected: KvValue, { value = '', encoding }: ShownValue): boolean {
  if (encoding === 'sha256') return hashesOf(expected).includes(shownHash(value));
  return bytesOf({ value, encoding }).equals(bytesOf(expected));
}

/** The hash input is undocumented: the bytes, or the text as it was sent. Either match counts. */
export function hashesOf(expected: Pick<KvMember, 'value' | 'encoding'>): string[] {
  return [bytesOf(expected), Buffer.from(expected.value)].flatMap((content) => {
    const hash = createHash('sha256').update(content).digest();
    return [hash.toString('hex'), hash.toString('base64')];
  });
}

/** As `hashesOf` writes it. */
export function shownHash(value: string): string {
  return /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : value;
}
