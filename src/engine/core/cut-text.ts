import { jsonByteLength } from './byte-length.js';

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
