import { timingSafeEqual } from 'node:crypto';

import { digestOf, type StoredToken } from '../../tokens/token-file.js';

/**
 * The stored token that this one is, also when it has expired. Compares with every stored token in
 * constant time, so the time of an answer says nothing about them.
 */
export function findToken(tokens: readonly StoredToken[], token: string): StoredToken | undefined {
  const digest = digestOf(token);
  const [found] = tokens.filter((stored) => timingSafeEqual(stored.digest, digest));
  return found;
}

/** The token of `Authorization: Bearer …`; `undefined` for anything else. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}
