/** A small generator of even numbers in [0, 1), the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Draw {
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  pick<const T>(items: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  const number = (least: number, most: number): number =>
    least + Math.floor(random() * (most - least + 1));
  return {
    number,
    pick: ([first, ...rest]) => {
      const index = number(0, rest.length);
      return index === 0 ? first : (rest[index - 1] ?? first);
    },
    chance: (probability) => random() < probability,
  };
}
