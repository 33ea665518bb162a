import { describe, expect, it } from '@jest/globals';

import { ItemState, PAUSED_IN_TEMPORAL } from '../../../src/contract/wire/batch.js';
import {
  adviceToFree,
  notesOfPaused,
  pausedItems,
} from '../../../src/workflows/run-batch/steps/paused-items.js';

const item = (line: number, kind?: string) =>
  [
    line,
    {
      ...{ line, id: `item-${line}`, runId: `run-${line}`, state: ItemState.paused },
      ...(kind !== undefined && { class: kind }),
    },
  ] as const;

describe('the paused items of a batch', () => {
  it('are told by what lets them go on', () => {
    const open = new Map([item(2), item(7, PAUSED_IN_TEMPORAL), item(8, PAUSED_IN_TEMPORAL)]);

    const paused = pausedItems({ open });

    expect(paused.count).toBe(3);
    expect(notesOfPaused(paused)).toEqual([
      '1 paused: resume it by itself',
      '2 paused in Temporal itself (line 7-8): unpause each there',
    ]);
    expect(adviceToFree(paused)).toBe(
      'resume each of them by itself, and end the pause of 2 runs (line 7-8): temporal workflow unpause',
    );
  });

  it('are named in a text of limited length, however many are scattered', () => {
    const open = new Map(
      Array.from({ length: 5_000 }, (_, at) => item(2 * at + 1, PAUSED_IN_TEMPORAL)),
    );

    const advice = adviceToFree(pausedItems({ open }));

    expect(advice).toContain('the pause of 5000 runs');
    expect(advice.length).toBeLessThan(400);
  });
});
