import { describe, expect, it } from '@jest/globals';

import { createApiClock } from '../../../src/engine/http/api-clock.js';
import { readInWindow, timesOfApi } from '../../../src/engine/http/times-of-api.js';
import { CLOCK_SKEW_MS } from '../../../src/engine/core/times.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const dateOf = (aheadMs: number) => new Date(NOW + aheadMs).toUTCString();

describe('a window of recorded times', () => {
  it.each([
    ['as recorded until the API has said its time', undefined, [0, 0]],
    ['earlier when the clock of the API is behind', -3_600_000, [-3_600_000, 0]],
    ['longer when it is ahead', 3_600_000, [0, 3_600_000]],
  ])('is %s, and a minute more at each end', (_, aheadMs, [from = 0, to = 0]) => {
    const clock = createApiClock(() => NOW);
    if (aheadMs !== undefined) clock.note(dateOf(aheadMs));

    expect(timesOfApi({ clock }, { from: NOW, to: NOW })).toEqual({
      from: NOW + from - CLOCK_SKEW_MS,
      to: NOW + to + CLOCK_SKEW_MS,
    });
  });

  it('ignores an answer without a time', () => {
    const clock = createApiClock(() => NOW);
    clock.note(dateOf(-5_000));
    clock.note(null);
    clock.note('yesterday');

    expect(clock.aheadMs()).toBe(-5_000);
  });

  it.each([
    ['twice when only the answer shows that the clocks are far apart', -120_000, 2],
    ['once when they are not', -30_000, 1],
  ])('is read %s', async (_, aheadMs, times) => {
    const clock = createApiClock(() => NOW);
    const froms: number[] = [];
    const read = ({ from }: { from: number }) => {
      froms.push(from);
      clock.note(dateOf(aheadMs));
      return Promise.resolve(froms.length);
    };

    expect(await readInWindow({ clock }, { from: NOW, to: NOW }, read)).toBe(times);
    expect(froms.at(-1)).toBe(NOW - CLOCK_SKEW_MS + (times === 2 ? aheadMs : 0));
    await readInWindow({ clock }, { from: NOW, to: NOW }, read);
    expect(froms).toHaveLength(times + 1);
  });
});
