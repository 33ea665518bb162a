import { describe, expect, it } from '@jest/globals';

import { slopeOf } from '../../bench/statistics.js';

describe('the slope', () => {
  it('is that of the line through the points', () => {
    expect(slopeOf([0, 1, 2, 5].map((x) => ({ x, y: 3 + 2 * x })))).toBeCloseTo(2);
  });

  it('evens out what lies above and below', () => {
    const points = [
      { x: 0, y: 1 },
      { x: 1, y: -1 },
      { x: 2, y: -1 },
      { x: 3, y: 1 },
    ];

    expect(slopeOf(points)).toBeCloseTo(0);
  });

  it('is no number for a single place', () => {
    expect(slopeOf([{ x: 1, y: 2 }])).toBeNaN();
  });
});
