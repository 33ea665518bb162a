import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createLanes, laneOf, LANES, type Lane } from '../../../src/engine/http/lanes.js';

/** Serves as many as asked while every lane of `busy` always has waiters. */
function serve(busy: readonly Lane[], count: number): Lane[] {
  const lanes = createLanes<{ lane: Lane }>();
  const add = (lane: Lane): void => {
    lanes.add({ lane }, { lane, finishes: false });
  };
  for (const lane of busy) add(lane);
  return Array.from({ length: count }, () => {
    const { lane = 'normal' } = lanes.next() ?? {};
    add(lane);
    return lane;
  });
}

describe('lanes', () => {
  it.each<[number | undefined, Lane]>([
    [1, 'urgent'],
    [2, 'urgent'],
    [undefined, 'normal'],
    [3, 'normal'],
    [4, 'bulk'],
    [5, 'bulk'],
  ])('take a call with priority key %p as %s', (priorityKey, lane) => {
    expect(laneOf(priorityKey)).toBe(lane);
  });

  it('let urgent calls go first and keep the order of arrival', () => {
    const lanes = createLanes<string>();
    lanes.add('bulk', { lane: 'bulk', finishes: false });
    lanes.add('first', { lane: 'normal', finishes: false });
    lanes.add('second', { lane: 'normal', finishes: false });
    lanes.add('urgent', { lane: 'urgent', finishes: false });

    const order = [1, 2, 3, 4, 5].map(() => lanes.next());

    expect(order).toEqual(['urgent', 'first', 'second', 'bulk', undefined]);
  });

  it('let a change go before the reads of its lane, but not before a more urgent read', () => {
    const lanes = createLanes<string>();
    lanes.add('look', { lane: 'normal', finishes: false });
    lanes.add('send', { lane: 'normal', finishes: true });
    lanes.add('alarm', { lane: 'urgent', finishes: false });

    const order = [1, 2, 3].map(() => lanes.next());

    expect(order).toEqual(['alarm', 'send', 'look']);
  });

  it('give each lane that waits at least a tenth', () => {
    const property = fc.property(fc.subarray([...LANES], { minLength: 1 }), (busy) => {
      const served = serve(busy, 1_000);

      for (const lane of busy) {
        const share = served.filter((each) => each === lane).length;
        expect(share).toBeGreaterThanOrEqual(100);
      }
    });

    fc.assert(property);
  });

  it('give all but two tenths to urgent calls, when there are enough', () => {
    const served = serve(['urgent', 'normal', 'bulk'], 1_000);

    expect(served.filter((lane) => lane === 'urgent').length).toBeGreaterThanOrEqual(700);
  });

  it.each(LANES.filter((lane) => lane !== 'watch'))(
    'give a quarter to the watcher, whatever waits as %s',
    (lane) => {
      const served = serve([lane, 'watch'], 1_000);

      expect(served.filter((each) => each === 'watch').length).toBeGreaterThanOrEqual(250);
    },
  );

  it('forget a call that no longer waits', () => {
    const lanes = createLanes<string>();
    lanes.add('gone', { lane: 'normal', finishes: true });
    lanes.delete('gone');

    expect(lanes.size).toBe(0);
    expect(lanes.next()).toBeUndefined();
  });
});
