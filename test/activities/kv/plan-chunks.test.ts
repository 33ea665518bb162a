import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { expectedOf } from '../../../src/activities/kv/expected-of.js';
import { planChunks } from '../../../src/activities/kv/plan-chunks.js';
import type { KvItem } from '../../../src/contract/index.js';
import { add, manyItems } from '../../support/worlds/kv-stores.js';

const LIMITS = { maxItems: 1_000, maxBytes: 1_000_000 };
const countsOf = (items: readonly KvItem[], limits = {}) =>
  planChunks(items, { ...LIMITS, ...limits }).map(({ count, rewrites }) => [count, rewrites]);

const zed = (op: 'add' | 'del_entries', ...values: string[]): KvItem => ({
  op,
  key: 'z',
  datatype: 'sorted_set',
  payload: values.map((value) => ({ value })),
});

describe('the chunks of a list', () => {
  it('end at the maximum number of items', () => {
    expect(countsOf(manyItems(5), { maxItems: 2 })).toEqual([
      [2, false],
      [2, false],
      [1, false],
    ]);
  });

  it('end at the maximum number of bytes, with a chunk of its own for a larger item', () => {
    const items = [add('a', 'x'), add('b', 'x'.repeat(300)), add('c', 'x'), add('d', 'x')];

    expect(countsOf(items, { maxBytes: 200 })).toEqual([
      [1, false],
      [1, false],
      [2, false],
    ]);
  });

  it.each([
    ['a plain key is written twice', [add('k', '1'), add('k', '2')]],
    ['a key is removed and added', [{ op: 'del_key', key: 'k', datatype: 'kv' }, add('k', '2')]],
    ['a member is added twice', [zed('add', 'a'), zed('add', 'b', 'a')]],
    ['members are added and taken out', [zed('add', 'a'), zed('del_entries', 'b')]],
    [
      'a member is written in two ways',
      [
        {
          op: 'add',
          key: 'z',
          datatype: 'sorted_set',
          payload: [{ value: 'aGk=', encoding: 'base64' }],
        },
        zed('add', 'hi'),
      ],
    ],
  ] satisfies [string, KvItem[]][])('end where the order matters: %s', (_, items) => {
    expect(countsOf(items)).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  it('do not end between different members of one set', () => {
    expect(countsOf([zed('add', 'a'), zed('add', 'b'), zed('add', 'c')])).toEqual([[3, false]]);
  });

  it('say when they rewrite a key of an earlier chunk', () => {
    const items = [add('k', '1'), add('a', '1'), add('b', '1'), add('k', '2'), add('c', '1')];

    expect(countsOf(items, { maxItems: 1 }).map(([, rewrites]) => rewrites)).toEqual([
      ...[false, false, false, true, false],
    ]);
  });

  const itemArbitrary: fc.Arbitrary<KvItem> = fc.oneof(
    fc
      .record({ key: fc.constantFrom('a', 'b'), value: fc.constantFrom('1', '2') })
      .map(({ key, value }) => add(key, value)),
    fc.constantFrom('a', 'b').map((key): KvItem => ({ op: 'del_key', key, datatype: 'kv' })),
    fc
      .record({
        op: fc.constantFrom('add' as const, 'del_entries' as const),
        values: fc.uniqueArray(fc.constantFrom('m', 'n', 'o'), { minLength: 1 }),
      })
      .map(({ op, values }) => zed(op, ...values)),
  );

  it('lead to the same content in whatever order the API applies their items', () => {
    fc.assert(
      fc.property(fc.array(itemArbitrary, { maxLength: 12 }), (items) => {
        const chunks = planChunks(items, { ...LIMITS, maxItems: 4 });
        const reversed = chunks.flatMap(({ first, count }) =>
          items.slice(first, first + count).reverse(),
        );

        expect(chunks.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
        const toContent = (list: readonly KvItem[]) =>
          [...expectedOf(list)]
            .map(([key, held]) => [
              key,
              held.kind === 'members' ? [...held.present.keys()].sort() : held,
            ])
            .sort();
        expect(toContent(reversed)).toEqual(toContent(items));
      }),
    );
  });
});
