/** Chance that follows from a seed: the same seed draws the same. */
export interface Draw {
  /** In [0, 1). */
  fraction: () => number;
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  /** @throws RangeError for an empty list */
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  /** The items in an order of its own. */
  shuffled<T>(items: readonly T[]): T[];
  /** Another chance of the same seed. What one of them draws changes nothing of what another one draws. */
  fork(name: string): Draw;
}

export function createDraw(seed: number, name = ''): Draw {
  const fraction = createFractions(hash(`${seed}/${name}`));
  const number = (least: number, most: number): number =>
    least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    number,
    pick(items) {
      const item = items[number(0, items.length - 1)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
    chance: (probability) => fraction() < probability,
    shuffled: (items) =>
      items
        .map((item) => ({ item, place: fraction() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
    fork: (part) => createDraw(seed, `${name}/${part}`),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

/** Mulberry32: small, fast, and its 32 bits are enough to draw faults from. */
function createFractions(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
