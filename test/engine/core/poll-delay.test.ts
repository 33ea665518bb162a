import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { DEFAULT_POLL_POLICY as POLICY } from '../../../src/contract/wire/tasks.js';
import { pollDelay, typicalDuration } from '../../../src/engine/core/run-policy.js';

/** The middle of the range: no jitter. */
const MIDDLE = 0.5;

describe('pollDelay', () => {
  it.each([
    ['create_vm', 15_000],
    ['delete_vm', 15_000],
    ['delete_volume', 3_000],
    ['instance ACTIVE', 2_000],
    ['a task type of next year', 5_000],
  ])('looks at %s first near its typical duration: after %d ms', (type, expected) => {
    const delay = pollDelay({ type, elapsedMs: 0, random: MIDDLE }, POLICY);

    expect(delay).toBe(expected);
  });

  it.each([
    [15_000, 2_000],
    [40_000, 2_000],
    [60_000, 3_000],
    [600_000, 30_000],
    [1_200_000, 60_000],
    [86_400_000, 60_000],
  ])(
    'after %d ms looks again in %d ms: 5 %% of the time waited, within bounds',
    (elapsedMs, ms) => {
      const delay = pollDelay({ type: 'create_vm', elapsedMs, random: MIDDLE }, POLICY);

      expect(delay).toBe(ms);
    },
  );

  it.each([
    [0, 12_000],
    [0.25, 13_500],
    [0.999_999, 18_000],
  ])('spreads the first looks of runs that start together: random %d, %d ms', (random, ms) => {
    const delay = pollDelay({ type: 'create_vm', elapsedMs: 0, random }, POLICY);

    expect(delay).toBe(ms);
  });

  it('stays within its bounds and within a fifth of the base delay', () => {
    const states = fc.record({
      type: fc.constantFrom(...Object.keys(POLICY.typical), 'unknown'),
      elapsedMs: fc.integer({ min: 0, max: 30 * 86_400_000 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    const property = fc.property(states, (state) => {
      const delay = pollDelay(state, POLICY);
      const plan = pollDelay({ ...state, random: MIDDLE }, POLICY);

      expect(delay).toBeGreaterThanOrEqual(POLICY.minMs);
      expect(delay).toBeLessThanOrEqual(POLICY.maxMs);
      expect(delay).toBeLessThanOrEqual(Math.ceil(plan * 1.2));
      expect(Number.isInteger(delay)).toBe(true);
    });

    fc.assert(property);
  });

  it('uses no random number of its own, so a replay gets the same delays', () => {
    const state = { type: 'create_vm', elapsedMs: 777_777, random: 0.123 };

    const delays = new Set([1, 2, 3].map(() => pollDelay(state, POLICY)));

    expect(delays.size).toBe(1);
  });

  it('polls a task of one day fewer than 1,600 times', () => {
    let elapsedMs = 0;
    let looks = 0;

    while (elapsedMs < 86_400_000) {
      elapsedMs += pollDelay({ type: 'create_vm', elapsedMs, random: MIDDLE }, POLICY);
      looks += 1;
    }

    expect(looks).toBeLessThan(1_600);
  });
});

describe('typicalDuration', () => {
  it('has a default for a task type that the table does not list', () => {
    const durations = [typicalDuration('create_vm', POLICY), typicalDuration('other', POLICY)];

    expect(durations).toEqual([POLICY.typical['create_vm'], POLICY.otherwise]);
  });
});
