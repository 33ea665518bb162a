import { describe, expect, it } from '@jest/globals';

import { fairShare } from '../../src/gateway/fair-share.js';

describe('a fair share', () => {
  it.each([
    { wanted: [], share: Infinity },
    { wanted: [50, 150], share: Infinity },
    { wanted: [1_000], share: 200 },
    { wanted: [1, 2_500], share: 199 },
    { wanted: [300, 20, 300], share: 90 },
    { wanted: [500, 500, 500, 500], share: 50 },
  ])('of 200 is $share where $wanted are wanted', ({ wanted, share }) => {
    expect(fairShare(wanted, 200)).toBe(share);
  });
});
