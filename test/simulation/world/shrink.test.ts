import { describe, expect, it } from '@jest/globals';

import type { Strike } from './chaos.js';
import { shrink } from './shrink.js';

const STRIKES: readonly Strike[] = Array.from({ length: 12 }, (_, at) => ({
  kind: 'lost answer',
  occasion: `call #${at}`,
}));

const needs =
  (...places: number[]) =>
  (some: readonly Strike[]): Promise<boolean> =>
    Promise.resolve(places.every((at) => some.some(({ occasion }) => occasion === `call #${at}`)));

describe('shrink', () => {
  it('leaves just the strikes that a finding needs', async () => {
    const left = await shrink(STRIKES, needs(3, 8));

    expect(left.map(({ occasion }) => occasion)).toEqual(['call #3', 'call #8']);
  });

  it('leaves nothing where a finding needs nothing', async () => {
    expect(await shrink(STRIKES, needs())).toEqual([]);
  });

  it('ends after so many tries, with what it has', async () => {
    let tries = 0;
    const count = (some: readonly Strike[]): Promise<boolean> => {
      tries += 1;
      return needs(3, 8)(some);
    };

    expect(await shrink(STRIKES, count, 5)).toEqual(
      expect.arrayContaining([STRIKES[3], STRIKES[8]]),
    );
    expect(tries).toBe(5);
  });
});
