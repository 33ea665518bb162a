import { describe, expect, it } from '@jest/globals';

import type { KvItem } from '../../../../src/contract/api/fastedge.js';
import {
  countKvItem,
  emptyKvTotals,
  type KvTotals,
} from '../../../../src/contract/wire/kv-totals.js';
import {
  kvCalls,
  kvIrreversible,
  kvUnverifiable,
} from '../../../../src/workflows/modify-kv-store/plan/kv-calls.js';
import {
  chooseKeys,
  clashesWithin,
  clashesWithStore,
  firstWrites,
} from '../../../../src/workflows/modify-kv-store/plan/kv-datatypes.js';
import type { Chunk } from '../../../../src/workflows/modify-kv-store/steps/plan-kv-chunks.js';
import { add, manyItems } from '../../../support/worlds/kv-stores.js';

const drop = (key: string): KvItem => ({ op: 'del_key', key, datatype: 'kv' });
const addTo = (key: string, datatype: 'sorted_set' | 'bloom_filter'): KvItem => ({
  op: 'add',
  key,
  datatype,
  payload: [{ value: 'a' }, { value: 'b' }],
});
const inline = (items: KvItem[]): Chunk => ({
  source: { items },
  count: items.length,
  rewrites: false,
});
const ofManifest = (count: number): Chunk => ({
  source: {
    manifest: { url: 'file:items.jsonl' },
    range: { line: 1, count, offset: 0, bytes: 1, digest: 'x' },
  },
  count,
  rewrites: false,
});

describe('the datatypes of a list', () => {
  it('clash when an earlier item has given the key another datatype', () => {
    const items = [add('k', '1'), addTo('k', 'sorted_set'), add('other', '2')];

    expect(clashesWithin(items)).toEqual([
      { path: 'items[1]', key: 'k', datatype: 'kv', wanted: 'sorted_set' },
    ]);
  });

  it('do not clash when the key is deleted in between', () => {
    expect(clashesWithin([add('k', '1'), drop('k'), addTo('k', 'sorted_set')])).toEqual([]);
  });

  it('matter for the first item of a key, unless it deletes the key', () => {
    const items = [drop('gone'), add('gone', '1'), add('k', '1'), add('k', '2')];

    expect(firstWrites(items)).toEqual([2]);
  });

  it('are compared with the store, and reported with the place of the item', () => {
    const found = [
      { line: 1, key: 'a', datatype: 'kv', wanted: 'kv' as const },
      { line: 2, key: 'b', datatype: 'sorted_set', wanted: 'kv' as const },
    ];

    expect(clashesWithStore(found, (line) => `line ${line}`)).toEqual([
      { path: 'line 2', key: 'b', datatype: 'sorted_set', wanted: 'kv' },
    ]);
  });
});

describe('the keys that a plan looks at', () => {
  it('are all keys of a short list, by their places in the input', () => {
    const { samples, isAll } = chooseKeys([
      inline([drop('x'), add('a', '1')]),
      inline([add('b', '2')]),
    ]);

    expect(isAll).toBe(true);
    expect(samples[0]?.readback.source).toEqual({ items: [add('a', '1'), add('b', '2')] });
    expect([1, 2].map((line) => samples[0]?.pathOf(line))).toEqual(['items[1]', 'items[2]']);
  });

  it('are a sample of a long list', () => {
    const { samples, isAll } = chooseKeys([inline(manyItems(1_000))]);

    expect(isAll).toBe(false);
    expect(samples[0]?.readback.source).toMatchObject({ items: { length: 100 } });
    expect(samples[0]?.pathOf(100)).toBe('items[999]');
  });

  it('are none when all keys are deleted', () => {
    expect(chooseKeys([inline([drop('x')])])).toEqual({ samples: [], isAll: true });
  });

  it.each([
    [100, true, undefined],
    [101, false, [0, 50, 100]],
  ])('of a manifest with %i lines', (count, isAll, only) => {
    const chosen = chooseKeys([ofManifest(count)]);

    expect(chosen.isAll).toBe(isAll);
    expect(chosen.samples.map(({ readback }) => readback.only)).toEqual([only]);
    expect(chosen.samples[0]?.pathOf(12)).toBe('line 12');
  });
});

describe('the calls of a push', () => {
  const calls = (chunks: Chunk[], change: { force?: boolean; verify?: 'sample' | 'all' } = {}) =>
    kvCalls({ storeId: 7, force: false, verify: 'sample', chunks, ...change });

  it('are one PUT per chunk', () => {
    const chunks = [inline(manyItems(2)), inline([add('z', '1')])];

    expect(calls(chunks).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /fastedge/v1/kv/7',
      'PUT /fastedge/v1/kv/7/data',
      'PUT /fastedge/v1/kv/7/data',
      'GET /fastedge/v1/kv/7/data/{key}',
      'GET /fastedge/v1/kv/7',
    ]);
    expect(calls(chunks, { force: true })[1]?.purpose).toBe(
      'chunk 1 of 2: write 2 items, with force',
    );
    expect(calls(chunks)[3]?.purpose).toContain('read back 3 keys');
  });

  it('become one row when there are many', () => {
    const many = calls(Array.from({ length: 21 }, () => ofManifest(1_000)));

    expect(many.filter(({ method }) => method === 'PUT')).toEqual([
      expect.objectContaining({ times: 21, purpose: expect.stringContaining('21000 items') }),
    ]);
  });
});

describe('the totals of a list', () => {
  const count = (...items: KvItem[]): KvTotals => {
    const totals = emptyKvTotals();
    for (const item of items) countKvItem(totals, item);
    return totals;
  };

  it('count the effects that cannot be undone or verified', () => {
    const taken: KvItem = {
      op: 'del_entries',
      key: 's',
      datatype: 'sorted_set',
      payload: [{ value: 'a' }],
    };
    const masked: KvItem = {
      op: 'add',
      key: 'm',
      datatype: 'kv',
      payload: { value: 'x', encoding: 'masked' },
    };

    expect(count(add('a', '1'), drop('b'), taken, addTo('f', 'bloom_filter'), masked)).toEqual({
      items: 5,
      keysDeleted: 1,
      setsReduced: 1,
      bloomValues: 2,
      maskedValues: 1,
    });
  });

  it.each([
    [[add('a', '1')], false, 1],
    [[add('a', '1')], true, 2],
    [[drop('a')], false, 2],
    [[addTo('f', 'bloom_filter')], false, 2],
  ])('lead to the irreversible effects of %j, force %s', (items, force, lines) => {
    expect(kvIrreversible(count(...items), force)).toHaveLength(lines);
  });

  it('lead to the values that a read-back cannot show', () => {
    expect(kvUnverifiable(count(addTo('f', 'bloom_filter')))).toEqual([
      expect.stringContaining('2 values of bloom filters'),
    ]);
    expect(kvUnverifiable(count(add('a', '1')))).toEqual([]);
  });
});
