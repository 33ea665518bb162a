import { randomBytes } from 'node:crypto';

import { KEY_BYTES, type KeyRingJson } from './key-ring.js';

/**
 * The ring with one more key. The first key of a ring is current; another one only decrypts, until every program knows
 * it.
 */
export function withNewKey(
  ring: KeyRingJson | undefined,
  now: number,
): { ring: KeyRingJson; id: string } {
  const keys = ring?.keys ?? {};
  const id = newId(keys, new Date(now).toISOString().slice(0, 10));
  const key = randomBytes(KEY_BYTES).toString('base64');
  return { ring: { ...ring, current: ring?.current ?? id, keys: { ...keys, [id]: key } }, id };
}

/** `2026-11-24`, then `2026-11-24-2`. */
function newId(keys: KeyRingJson['keys'], day: string): string {
  for (let count = 1; ; count++) {
    const id = count === 1 ? day : `${day}-${count}`;
    if (!Object.hasOwn(keys, id)) return id;
  }
}
