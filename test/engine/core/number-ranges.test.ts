import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import {
  countRanges,
  fromRanges,
  toRanges,
  withoutRanges,
} from '../../../src/engine/core/number-ranges.js';

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

  it('leave out those of another text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30)), fc.array(fc.nat(30)), (numbers, others) => {
        const rest = withoutRanges(toRanges(numbers), toRanges(others));

        expect([...fromRanges(rest)]).toEqual(numbers.filter((one) => !others.includes(one)));
      }),
    );
  });
});
