import { describe, expect, it } from '@jest/globals';

import { toCell } from '../../../src/gateway/pages/run-files.js';

describe('a cell of a table', () => {
  it.each([
    [undefined, ''],
    [17, '17'],
    [-1, '-1'],
    ['origin-not-found', 'origin-not-found'],
    ['not found, "gone"', '"not found, ""gone"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("https://evil.test")', '"\'=HYPERLINK(""https://evil.test"")"'],
    ['@SUM(A1)', "'@SUM(A1)"],
  ])('of %j is %j', (value, cell) => {
    expect(toCell(value)).toBe(cell);
  });
});
