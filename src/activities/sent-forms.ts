const SHORTEST = 8;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}\s*$/;

/** Values that were sent, and what they are in base64: the API may repeat either. */
export function sentForms(values: readonly string[]): string[] {
  const decoded = values
    .filter((value) => value.length >= SHORTEST && BASE64.test(value))
    .map((value) => Buffer.from(value, 'base64').toString())
    // Of a value that only looks like base64, signs come out that no text has.
    .filter((text) => text.length >= SHORTEST && !text.includes('\ufffd'));
  return [...values, ...decoded];
}
