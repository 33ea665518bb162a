import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { jsonByteLength, cutText } from '../../../src/engine/core/text.js';
import { firstFaults } from '../../../src/engine/core/faults.js';

describe('cutText', () => {
  it('keeps a text that fits', () => {
    const text = 'Flavor is sold out';

    expect(cutText(text)).toBe(text);
  });

  it('never exceeds the limit as JSON, and keeps the beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(200), (text, max) => {
        const limit = max + 3;
        const cut = cutText(text, limit);

        expect(jsonByteLength(cut) - 2).toBeLessThanOrEqual(limit);
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
      }),
    );
  });

  it('cuts 1.2 MB of control characters to 2 kB', () => {
    const cut = cutText('\u0000'.repeat(1_200_000));

    expect(jsonByteLength(cut)).toBeLessThanOrEqual(2_002);
  });
});

describe('firstFaults', () => {
  const faults = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ path: `f${at}`, message: 'is wrong' }));

  it('keeps 20 faults', () => {
    expect(firstFaults(faults(20))).toEqual(faults(20));
  });

  it.each([
    [21, { message: 'one more fault', count: 1 }],
    [70_000, { message: '69,980 more faults', count: 69_980 }],
  ])('counts the rest of %d faults', (count, rest) => {
    const first = firstFaults(faults(count));

    expect(first).toEqual([...faults(20), { path: '…', ...rest }]);
  });

  it('cuts long paths and messages', () => {
    const [fault] = firstFaults([{ path: 'p'.repeat(9_000), message: 'm'.repeat(9_000) }]);

    expect(jsonByteLength(fault)).toBeLessThan(1_100);
  });
});
