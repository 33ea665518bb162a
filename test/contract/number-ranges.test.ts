import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { countRanges, fromRanges, toRanges } from '../../src/contract/number-ranges.js';

describe('ranges of numbers', () => {
  it.each([
    [[], ''],
    [[7], '7'],
    [[1, 2, 3], '1-3'],
    [[1, 3, 4, 9], '1 3-4 9'],
    [[5, 4], '5 4'],
  ])('write %j as %j', (numbers, text) => {
    expect(toRanges(numbers)).toBe(text);
  });

  it('give back the numbers in order, and their count', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30)), (numbers) => {
        const text = toRanges(numbers);

        expect([...fromRanges(text)]).toEqual(numbers);
        expect(countRanges(text)).toBe(numbers.length);
      }),
    );
  });
});
