/** Largest text of the API that a history or a status shows. */
const MAX_TEXT_BYTES = 2_000;
const ELLIPSIS = '…';
const QUOTES = 2;

/**
 * Cuts a text of the API. Counts bytes as JSON, because histories store JSON: there a control
 * character takes six bytes.
 */
export function cutText(text: string, maxBytes = MAX_TEXT_BYTES): string {
  // JSON never makes a text shorter, so only a short text has to be measured.
  if (text.length <= maxBytes && jsonByteLength(text) - QUOTES <= maxBytes) return text;
  let bytes = jsonByteLength(ELLIPSIS) - QUOTES;
  let end = 0;
  for (const character of text) {
    bytes += jsonByteLength(character) - QUOTES;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${ELLIPSIS}`;
}

/** A text of several lines as one. */
export function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** `1 batch`, `2 batches`: the count with its noun. A plural other than with "s" is given. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `a, b and 3 more`: no more than the first ones are named. */
export function firstOf(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}

/** The word as a POSIX shell reads it back, whatever it contains. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The text as one value in a list filter of Temporal: whatever it contains, it becomes no other part of the filter. A value
 * with a double quote or a backslash is found by no filter of the server, however it is written.
 */
export function quoteValue(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/**
 * Which runs have not ended, as a part of a list filter of Temporal. A run that Temporal itself has paused has not ended either,
 * and its status is not `Running`; older servers do not know the name of that status.
 */
export const IS_OPEN = 'CloseTime IS NULL';
export const HAS_ENDED = 'CloseTime IS NOT NULL';

/** Sizes in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function jsonByteLength(value: unknown): number {
  return byteLength(JSON.stringify(value));
}

/** The first items that have at most `maxBytes` as JSON together. */
export function firstThatFit<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const firstTooLarge = items.findIndex((item) => {
    bytes += jsonByteLength(item) + 1;
    return bytes > maxBytes;
  });
  return firstTooLarge === -1 ? [...items] : items.slice(0, firstTooLarge);
}
