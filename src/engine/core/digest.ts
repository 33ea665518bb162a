/** 64 bits of a text in hex: the same in a workflow and in an activity, without `node:crypto`. No protection against anybody. */
export function digestOf(text: string): string {
  return [hash(text, 0x811c9dc5), hash(text, 0x9e3779b9)]
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('');
}

/** FNV-1a, and the finish of MurmurHash3: texts that differ in one digit get digests that look unrelated. */
function hash(text: string, seed: number): number {
  let mixed = seed;
  for (let at = 0; at < text.length; at++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
