/** Sizes in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function jsonByteLength(value: unknown): number {
  return byteLength(JSON.stringify(value));
}
