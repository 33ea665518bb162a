import { describe, expect, it } from '@jest/globals';

import { formatCell } from '../../../bench/document/figure.js';

describe('a cell', () => {
  it.each([
    [1_234_567, '1,234,567'],
    [0, '0'],
    [1234.56, '1,235'],
    [123.4, '123'],
    [12.34, '12.3'],
    [1.234, '1.23'],
    [-12.34, '-12.3'],
    ['a|b', 'a\\|b'],
    [null, '–'],
    [undefined, '–'],
    [Infinity, '–'],
    [Number.NaN, '–'],
  ])('shows %p as %s', (value, shown) => {
    expect(formatCell(value)).toBe(shown);
  });
});
