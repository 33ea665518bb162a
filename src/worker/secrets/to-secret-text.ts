import { MAX_SECRET_BYTES, type FoundSecret } from '../../activities/index.js';
import { decodeText } from '../../engine/core/decode-text.js';

export const TOO_LONG = { is: 'unfit', why: `has more than ${MAX_SECRET_BYTES} bytes` } as const;

/** The text of a secret, or why its bytes are none. Half-written files are empty at first. */
export function toSecretText(
  bytes: Uint8Array,
): string | Extract<FoundSecret, { is: 'unfit' | 'unreadable' }> {
  if (bytes.length > MAX_SECRET_BYTES) return TOO_LONG;
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { is: 'unfit', why: decoded.fault };
  if (decoded.text.trim() !== '') return decoded.text;
  return { is: 'unreadable', why: 'is empty', advice: 'Give it a value.' };
}
