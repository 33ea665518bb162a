import { describe, expect, it } from '@jest/globals';

import {
  findForeignWrites,
  type RevisionStep,
} from '../../../../src/workflows/modify-kv-store/steps/find-foreign-writes.js';

const step = (from: number, to: number, more: Partial<RevisionStep> = {}): RevisionStep => ({
  from,
  to,
  attempts: 1,
  changes: 10,
  ...more,
});

describe('the revisions of a store', () => {
  it.each([
    ['grow by one a call', [step(5, 6), step(6, 7), step(7, 7, { attempts: 0, changes: 0 })]],
    ['grow by what a call changes', [step(5, 15), step(15, 18, { changes: 3 })]],
    ['do not grow where nothing changes', [step(5, 5), step(5, 6)]],
    [
      'grow once or twice after a lost answer',
      [step(5, 7, { attempts: 2 }), step(7, 8, { attempts: 2 })],
    ],
    ['are not there', []],
  ])('are explained when they %s', (_, steps) => {
    expect(findForeignWrites(steps)).toEqual([]);
  });

  it.each([
    ['in between', [step(5, 6), step(6, 8), step(8, 9)], [{ chunk: 2, from: 6, to: 8 }]],
    [
      'after the end',
      [step(5, 6), step(6, 7, { attempts: 0, changes: 0 })],
      [{ chunk: 2, from: 6, to: 7 }],
    ],
    ['of a restore', [step(5, 6), step(6, 2)], [{ chunk: 2, from: 6, to: 2 }]],
    [
      'where each change counts',
      [step(5, 15), step(15, 26), step(26, 36)],
      [{ chunk: 2, from: 15, to: 26 }],
    ],
  ])('reveal a foreign write %s', (_, steps, expected) => {
    expect(findForeignWrites(steps)).toEqual(expected);
  });
});
