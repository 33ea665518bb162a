export type DecodedText =
  | { ok: true; text: string }
  /** What is wrong with the bytes and what to do. Shows none of them: they may be a secret. */
  | { ok: false; fault: string };

const ADVICE = 'save it as UTF-8';

/** It keeps nothing from one call to the next: each is whole. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a file, of stdin or of a secret. Only UTF-8 is a text: a lenient decoder would put U+FFFD in the place of
 * what it cannot read, and nobody would notice. Drops a byte order mark.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const other = otherEncoding(bytes);
  if (other !== undefined) return { ok: false, fault: `is ${other}: ${ADVICE}` };
  try {
    return { ok: true, text: UTF8.decode(bytes) };
  } catch {
    const offset = soundLength(bytes);
    return { ok: false, fault: `is not UTF-8 from byte ${offset + 1} on: ${ADVICE}` };
  }
}

/** By the first bytes: a byte order mark, or NUL in every other byte, which no text in UTF-8 has. */
const UTF16 = [
  { name: 'UTF-16 (little endian)', begin: /^(?:\xff\xfe|[^\0]\0(?:[^\0]\0|$))/ },
  { name: 'UTF-16 (big endian)', begin: /^(?:\xfe\xff|\0[^\0](?:\0[^\0]|$))/ },
] as const;
const LEAST_OF_MARKS = 0xfe;

function otherEncoding(bytes: Uint8Array): string | undefined {
  const [one = 1, two = 1] = bytes;
  // What nearly every text begins with, millions of lines of lists among them.
  if (one !== 0 && two !== 0 && one < LEAST_OF_MARKS) return undefined;
  const first = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return UTF16.find(({ begin }) => begin.test(first))?.name;
}

/** Bytes at the beginning that are UTF-8: up to where a lenient decoder puts its first U+FFFD. */
function soundLength(bytes: Uint8Array): number {
  const lenient = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (at < bytes.length && bytes[at] === lenient[at]) at += 1;
  // Back to the begin of that character: its first bytes may be the same by chance.
  while (at > 0 && ((lenient[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
