import { seededFraction } from '../../../src/simulator/state/seeded-fraction.js';

export interface Draw {
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  pick<const T>(items: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

export function createDraw(seed: number): Draw {
  let position = 0;
  const random = (): number => seededFraction(seed, ++position);
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
