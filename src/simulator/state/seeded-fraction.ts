/** A number in [0, 1) that depends only on the seed and the position (mulberry32). */
export function seededFraction(seed: number, position: number): number {
  let mixed = (seed + Math.imul(position, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
