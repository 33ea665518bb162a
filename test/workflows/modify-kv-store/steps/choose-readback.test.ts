import { describe, expect, it } from '@jest/globals';

import {
  chooseReadback,
  spreadIndexes,
} from '../../../../src/workflows/modify-kv-store/steps/choose-readback.js';
import type { Chunk } from '../../../../src/workflows/modify-kv-store/steps/plan-kv-chunks.js';
import { add, manyItems } from '../../../support/worlds/kv-stores.js';

const inline = (items = manyItems(5)): Chunk => ({
  source: { items },
  count: items.length,
  rewrites: false,
});
const ranged = (count: number): Chunk => ({
  source: {
    manifest: { url: 'file:push.jsonl' },
    range: { line: 1, count, offset: 0, bytes: 9, digest: 'x' },
  },
  count,
  rewrites: false,
});

describe('the read-back', () => {
  it('of a list has the first, the middle and the last item of each chunk', () => {
    const [readback, ...others] = chooseReadback([inline()], 'sample');

    expect(readback?.source).toMatchObject({
      items: [{ key: 'key-1' }, { key: 'key-3' }, { key: 'key-5' }],
    });
    expect(others).toEqual([]);
  });

  it('of a key has all items of that key, in order', () => {
    const chunks = [inline([add('k', '1')]), inline([add('other', '1')]), inline([add('k', '2')])];

    expect(chooseReadback(chunks, 'all')).toEqual([
      { source: { items: [add('k', '1'), add('other', '1'), add('k', '2')] } },
    ]);
  });

  it('of a manifest names lines for the worker to read', () => {
    expect(chooseReadback([ranged(1_000)], 'sample')).toEqual([
      { source: ranged(1_000).source, only: [0, 500, 999] },
    ]);
    expect(chooseReadback([ranged(1_000)], 'all')).toEqual([{ source: ranged(1_000).source }]);
  });

  it('of many chunks is spread over all of them', () => {
    const readbacks = chooseReadback(
      Array.from({ length: 500 }, () => ranged(1_000)),
      'sample',
    );

    expect(readbacks).toHaveLength(20);
  });

  it('of a long list has several parts', () => {
    const sizes = chooseReadback([inline(manyItems(250))], 'all').map(({ source }) =>
      'items' in source ? source.items.length : 0,
    );

    expect(sizes).toEqual([100, 100, 50]);
  });
});

describe('spreadIndexes', () => {
  it.each([
    [1, 3, [0]],
    [2, 3, [0, 1]],
    [3, 3, [0, 1, 2]],
    [10, 3, [0, 5, 9]],
    [10, 1, [0]],
  ])('chooses from %i indexes at most %i', (length, max, expected) => {
    expect(spreadIndexes(length, max)).toEqual(expected);
  });
});
