import { describe, expect, it } from '@jest/globals';

import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { growingDelay, leastShare, probeDelay } from '../../../src/engine/run/growing-delay.js';
import { looksIn90Days } from '../../support/runs/looks-in-90-days.js';

const random = 0.5;

describe('the pauses of a long wait', () => {
  it.each([1, 5, 17, 60, 100, 221, 500])(
    'keep 90 days below 10,000 events when a look costs %i',
    (events) => {
      const type = 'list of the API';
      const looks = looksIn90Days((elapsedMs) =>
        growingDelay({ type, elapsedMs, events, random }, DEFAULT_POLL_POLICY),
      );
      const probes = looksIn90Days((elapsedMs) => probeDelay({ elapsedMs, events, random }));

      expect(Math.max(looks, probes) * events).toBeLessThan(10_000);
    },
  );

  it('are 2 % of the time waited where a look is cheap', () => {
    expect([leastShare(0), leastShare(11)]).toEqual([0.02, 0.02]);
  });

  it('never exceed twenty times the time waited', () => {
    expect(leastShare(50_000)).toBe(20);
  });
});
