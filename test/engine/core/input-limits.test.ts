import { describe, expect, it } from '@jest/globals';

import { idFaults, inputSizeFaults } from '../../../src/engine/core/faults.js';
import { modifyKvStoreInputSchema } from '../../../src/contract/operations/modify-kv-store.js';
import { provisionInstanceInputSchema } from '../../../src/contract/operations/provision-instance.js';
import { parseInput } from '../../../src/engine/schema/parse-input.js';

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

describe('an input', () => {
  it('of 10 MB is refused with its size and the limit', () => {
    const faults = inputSizeFaults({ instance: { user_data: 'a'.repeat(10_000_000) } });

    expect(faults).toEqual([
      {
        path: '(input)',
        message: 'has 10000029 bytes as JSON, but a run can take 2000000',
      },
    ]);
  });

  it.each([5_000, 200_000])('of %d levels is refused without a stack overflow', (levels) => {
    const input = { instance: { configuration: nested(levels) } };

    const parsed = parseInput(provisionInstanceInputSchema, input);

    expect(parsed).toEqual({
      ok: false,
      faults: [{ path: '(input)', message: 'is nested more than 100 levels deep' }],
    });
    expect(inputSizeFaults(input)).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['items of a list', { storeId: 1, items: Array(40_000).fill(1) }],
    ['fields of objects', { storeId: 1, items: Array(10_000).fill({ a: 1, b: 2, c: 3, d: 4 }) }],
  ])('with more than 40,000 %s is refused before any of them is judged', (_, input) => {
    expect(parseInput(modifyKvStoreInputSchema, input)).toEqual({
      ok: false,
      faults: [{ path: '(input)', message: expect.stringContaining('more than 40000 values') }],
    });
  });

  it('of 6,500 items with all their fields is not too large', () => {
    const item = { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'v' } };
    const input = { storeId: 1, items: Array(6_500).fill(item) };

    expect(parseInput(modifyKvStoreInputSchema, input)).toMatchObject({ ok: true });
  });

  it('of 90 levels is not too deep', () => {
    expect(inputSizeFaults(nested(90))).toEqual([]);
  });
});

describe('an id', () => {
  it.each(['a\u0000b', 'a\nb', '\u007f', '\u009b31m'])(
    'with a control character is refused',
    (id) => {
      expect(idFaults('requestId', id)).toMatchObject([{ path: 'requestId' }]);
    },
  );

  it.each(['order-4711', 'Bestellung Ä 7', '注文/1'])(
    'of usual characters is accepted: %s',
    (id) => {
      expect(idFaults('requestId', id)).toEqual([]);
    },
  );
});
