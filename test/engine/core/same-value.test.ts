import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { isSameValue } from '../../../src/engine/core/values.js';

describe('the same value', () => {
  it.each([
    ['a list in another order', [443, 80], [80, 443]],
    ['numbers as texts', ['80', '443'], [80, 443]],
    ['lists in objects in lists', [{ b: [2, 1], a: 1 }], [{ a: 1, b: [1, 2] }]],
    ['a field that is left out', { a: 1, b: undefined }, { a: 1 }],
  ])('is %s', (_, shown, wanted) => {
    expect(isSameValue(shown, wanted)).toBe(true);
  });

  it.each([
    ['a list with one twice', [80, 80, 443], [80, 443]],
    ['a list with another one twice', [80, 80, 443], [80, 443, 443]],
    ['a list and its only value', [80], 80],
    ['a list and its text', '[80]', [80]],
    ['lists with other borders', [['1', '2'], ['3']], [['1'], ['2', '3']]],
    ['texts with a comma', ['1,2'], ['1', '2']],
    ['nothing and an empty text', null, ''],
  ])('is not %s', (_, shown, wanted) => {
    expect(isSameValue(shown, wanted)).toBe(false);
  });

  it('is every value itself, with its lists in any order', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned).reverse();
      if (!(value instanceof Object)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, item]) => [key, turned(item)] as const)
          .reverse(),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSameValue(turned(value), value)).toBe(true);
      }),
    );
  });
});
