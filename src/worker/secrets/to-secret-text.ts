import { MAX_SECRET_BYTES, type FoundSecret } from '../../activities/index.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const TOO_LONG = { is: 'unfit', why: `has more than ${MAX_SECRET_BYTES} bytes` } as const;

/** The text of a secret, or why its bytes are none. Half-written files are empty at first. */
export function toSecretText(
  bytes: Uint8Array,
): string | Extract<FoundSecret, { is: 'unfit' | 'unreadable' }> {
  if (bytes.length > MAX_SECRET_BYTES) return TOO_LONG;
  try {
    const text = UTF8.decode(bytes);
    if (text.trim() !== '') return text;
    return { is: 'unreadable', why: 'is empty', advice: 'Give it a value.' };
  } catch {
    return { is: 'unfit', why: 'is no text in UTF-8' };
  }
}
