import { jsonByteLength } from './byte-length.js';

/** The first items that have at most `maxBytes` as JSON together. */
export function firstThatFit<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const firstTooLarge = items.findIndex((item) => {
    bytes += jsonByteLength(item) + 1;
    return bytes > maxBytes;
  });
  return firstTooLarge === -1 ? [...items] : items.slice(0, firstTooLarge);
}
