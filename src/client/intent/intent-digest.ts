import { createHmac, randomBytes } from 'node:crypto';

import { toCanonicalJson } from '../../engine/core/canonical-json.js';
import type { Intent } from './intent-of.js';

/** Name of the memo in which a run keeps the digest of its intent. */
export const INTENT_MEMO = 'intentDigest';

/**
 * `<salt>:<HMAC-SHA-256 of the intent>`. The salt keeps equal intents of different runs from being
 * recognised. It does not protect a short password from guessing, and need not: the input itself is in
 * the history of the same run, for the same time.
 */
export function digestIntent(intent: Intent, salt = randomBytes(16).toString('hex')): string {
  return `${salt}:${createHmac('sha256', salt).update(toCanonicalJson(intent)).digest('hex')}`;
}

/** Whether a run has this intent; `undefined` when its memo does not say. */
export function hasIntent(
  memo: Readonly<Record<string, unknown>> | undefined,
  intent: Intent,
): boolean | undefined {
  const digest = memo?.[INTENT_MEMO];
  if (typeof digest !== 'string') return undefined;
  return digest === digestIntent(intent, digest.split(':')[0]);
}
