import type { SentKvItem } from '../../contract/api/fastedge.js';

/** Shorter values that are not masked are common words. */
const MIN_VALUE_LENGTH = 4;

/** Every value of an item, as it is sent and as it is meant. Failures name keys, but never values. */
export function valueSecrets({ payload }: SentKvItem): string[] {
  return [payload ?? []].flat().flatMap(({ value, encoding }) => {
    if (encoding === 'masked') return [value];
    const values =
      encoding === 'base64' ? [value, Buffer.from(value, 'base64').toString()] : [value];
    return values.filter((text) => text.length >= MIN_VALUE_LENGTH);
  });
}
