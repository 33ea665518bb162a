import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createKeyMerge } from '../../../../src/workflows/grant-sftp-access/steps/sftp-key-merge.js';

describe('a merge of keys into a list that others change too', () => {
  it.each([
    ['nothing was there', [], [8], [8]],
    ['others were there', [1, 2], [8, 9], [1, 2, 8, 9]],
    ['one of them was there', [1, 8], [8, 9], [1, 8, 9]],
  ])('keeps existing keys and adds missing ones: %s', (_, ...[current, wanted, send]) => {
    expect(createKeyMerge(wanted).judge(current)?.send).toEqual(send);
  });

  it('sends nothing when all keys are there', () => {
    expect(createKeyMerge([8]).judge([1, 8])).toBeUndefined();
  });

  it('merges again after somebody has overwritten it', () => {
    const merge = createKeyMerge([8]);
    merge.sent(merge.judge([1])?.send ?? []);

    expect(merge.judge([1, 2])?.send).toEqual([1, 2, 8]);
    expect(merge.restored()).toEqual([]);
  });

  it('does not restore a key that somebody has removed', () => {
    const merge = createKeyMerge([8]);
    merge.sent(merge.judge([1, 2])?.send ?? []);

    expect(merge.judge([2, 8])).toBeUndefined();
  });

  it('restores a key that its own late call has removed', () => {
    const merge = createKeyMerge([8]);
    merge.sent(merge.judge([1])?.send ?? []);
    // Its answer is lost; meanwhile somebody adds a key; then the call is carried out.
    merge.judge([1, 2]);

    expect(merge.judge([1, 8])).toEqual({ send: [1, 8, 2], missing: [2] });
    expect(merge.restored()).toEqual([2]);
  });

  it('does not blame its call for a key that was only seen before it', () => {
    const merge = createKeyMerge([8]);
    merge.judge([1, 2]);
    merge.sent(merge.judge([1])?.send ?? []);

    expect(merge.judge([1, 8])).toBeUndefined();
  });

  it('always sends every key that it has just read and all wanted keys', () => {
    const list = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });
    fc.assert(
      fc.property(list, fc.array(list), (wanted, readings) => {
        const merge = createKeyMerge(wanted);
        for (const current of readings) {
          const change = merge.judge(current);
          const shown = change?.send ?? current;
          expect(shown).toEqual(expect.arrayContaining([...current, ...wanted]));
          expect(new Set(shown).size).toBe(shown.length);
          if (change !== undefined) merge.sent(change.send);
        }
      }),
    );
  });
});
