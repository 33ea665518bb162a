/** Sizes in UTF-8. Free of zod, so workflow code may import its values. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function jsonByteLength(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
