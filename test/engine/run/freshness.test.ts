import { describe, expect, it } from '@jest/globals';

import { createFreshness, type Freshness } from '../../../src/engine/run/read-times.js';

/** So long that the time of a test does not count. */
const HOUR = 3_600_000;

/** For how many hours a look of now is fresh. */
function hoursOf(freshness: Freshness): number {
  return Math.round(freshness.leftOf(Date.now()) / HOUR);
}

describe('how long a look is fresh', () => {
  it('is half a minute where the policy says nothing', () => {
    const freshness = createFreshness({});

    const left = freshness.leftOf(Date.now());

    expect(left).toBeLessThanOrEqual(30_000);
    expect(left).toBeGreaterThan(25_000);
  });

  it('counts from the look', () => {
    const freshness = createFreshness({ freshMs: HOUR });

    expect(freshness.leftOf(Date.now() - HOUR)).toBeLessThanOrEqual(0);
    expect(freshness.leftOf(-Infinity)).toBe(-Infinity);
  });

  it('is four times as long after each miss in a row, and 256 times at most', () => {
    const freshness = createFreshness({ freshMs: HOUR });

    const hours = Array.from({ length: 6 }, () => {
      const now = hoursOf(freshness);
      freshness.missed();
      return now;
    });

    expect(hours).toEqual([1, 4, 16, 64, 256, 256]);
  });

  it('is as short as before when a worker has taken a change', () => {
    const freshness = createFreshness({ freshMs: HOUR });
    freshness.missed();
    freshness.missed();

    freshness.taken();

    expect(hoursOf(freshness)).toBe(1);
  });
});
