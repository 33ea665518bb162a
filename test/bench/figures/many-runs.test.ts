import { describe, expect, it } from '@jest/globals';

import { latenessOf } from '../../../bench/figures/many-runs.js';

describe('the lateness of many runs', () => {
  it('is the time from the end of each task until its run knew of it', () => {
    const ended = [
      { id: 'a', endsAt: 1_000 },
      { id: 'b', endsAt: 2_000 },
    ];
    const noticed = [
      { taskId: 'b', at: 2_500 },
      { taskId: 'a', at: 4_000 },
    ];

    expect(latenessOf(ended, noticed)).toEqual([3, 0.5]);
  });

  it('is greater than all others where nobody knew of the end', () => {
    expect(latenessOf([{ id: 'a', endsAt: 1_000 }], [])).toEqual([Infinity]);
  });

  it('counts neither runs without a task nor tasks that go on', () => {
    const noticed = [{ taskId: 'still-open', at: 9_000 }];

    expect(latenessOf([], noticed)).toEqual([]);
  });
});
