import { describe, expect, it } from '@jest/globals';

import { modifyKvStoreInputSchema } from '../../src/contract/operations/modify-kv-store.js';
import { kvLineSchema } from '../../src/contract/operations/modify-kv-store.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const faultsOf = (input: unknown): string[] => {
  const parsed = parseInput(modifyKvStoreInputSchema, input);
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`);
};
const faultsOfItem = (item: unknown, more = {}): string[] =>
  faultsOf({ storeId: 1, items: [item], ...more }).map((fault) => fault.replace('items[0]', 'it'));

const KV = { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'v' } };
const SET = { op: 'add', key: 'z', datatype: 'sorted_set', payload: [{ value: 'm', score: 1.5 }] };
const FILTER = { op: 'add', key: 'b', datatype: 'bloom_filter', payload: [{ value: 'x' }] };
const ALLOWED = { allowIrreversible: true };

describe('an item of modifyKvStore', () => {
  it.each([
    [KV],
    [{ ...KV, payload: { value: '', encoding: 'masked', expiry: '2030-01-01T00:00:00+02:00' } }],
    [{ ...KV, payload: { value: 'aGk=', encoding: 'base64' } }],
    [{ op: 'del_key', key: 'k', datatype: 'kv' }],
    [SET],
    [{ ...SET, op: 'del_entries', payload: [{ value: 'm' }] }],
    [{ op: 'del_key', key: 'z', datatype: 'sorted_set' }],
    [FILTER],
    [{ op: 'del_key', key: 'b', datatype: 'bloom_filter' }],
    [{ ...KV, key: 'k'.repeat(256), payload: { value: 'v'.repeat(1_000_000) } }],
  ])('is accepted when it fits its datatype: %j', (item) => {
    expect(faultsOfItem(item, ALLOWED)).toEqual([]);
  });

  it.each([
    [{ ...KV, payload: [{ value: 'v' }] }, /^it\.payload: must be an object/],
    [{ ...SET, payload: { value: 'm' } }, /^it\.payload: must be a list/],
    [{ ...SET, payload: [] }, /^it\.payload: must have at least one/],
    [{ ...KV, payload: undefined }, /^it\.payload: is missing/],
    [{ ...KV, op: 'del_key' }, /^it\.payload: must be left out/],
    [{ ...KV, op: 'del_entries' }, /^it\.op: must be "add" or "del_key" for datatype "kv"/],
    [{ ...FILTER, op: 'del_entries' }, /^it\.op: must be .*removes the whole filter/],
    [{ ...KV, datatype: 'list' }, /^it.*must be an object with "datatype"/],
    [{ ...KV, key: 'ä'.repeat(129) }, /^it\.key: must have at most 256 bytes/],
    [{ ...KV, key: '' }, /^it\.key: must not be empty/],
    [{ ...KV, payload: { value: 'ä'.repeat(524_289) } }, /^it\.payload\.value: must have at most/],
    [{ ...KV, payload: { value: 'v', encoding: 'sha256' } }, /encoding: must not be "sha256"/],
    [{ ...KV, payload: { value: 'a!', encoding: 'base64' } }, /payload\.value: must be base64/],
    [{ ...KV, payload: { value: 'v', expiry: 'tomorrow' } }, /expiry: must be a time/],
    [{ ...SET, payload: [{ value: 'm', expiry: 'x' }] }, /payload\[0\]\.expiry: is not a known/],
    [{ ...KV, ttl: 3 }, /^it\.ttl: is not a known field/],
  ])('is refused by its path: %j', (item, fault) => {
    expect(faultsOfItem(item, ALLOWED)).toContainEqual(expect.stringMatching(fault));
  });

  it('for a bloom filter needs allowIrreversible', () => {
    expect(faultsOfItem(FILTER)).toEqual([expect.stringContaining('"allowIrreversible": true')]);
    expect(faultsOfItem({ op: 'del_key', key: 'b', datatype: 'bloom_filter' })).toEqual([]);
  });
});

describe('the input of modifyKvStore', () => {
  const manifest = { url: 'file:push.jsonl' };

  it.each([
    [{ storeId: 1, manifest }],
    [{ storeId: 1, items: [KV], force: true, ...ALLOWED, verify: 'all', chunkItems: 10 }],
  ])('is accepted: %j', (input) => {
    expect(faultsOf(input)).toEqual([]);
  });

  it.each([
    [{ storeId: 1 }, /^items: is missing: set "items" or "manifest"/],
    [{ storeId: 1, items: [KV], manifest }, /^manifest: cannot be combined/],
    [{ storeId: 1, items: [] }, /^items: must have at least one item/],
    [{ storeId: 1, items: [KV], force: true }, /^force: destroys .*"allowIrreversible": true/],
    [{ storeId: 'x', items: [KV] }, /^storeId: must be a number/],
    [{ storeId: 1, items: [KV], onFailure: 'rollback' }, /^onFailure: is not a known field/],
    [{ storeId: 1, items: [KV], chunkItems: 0 }, /^chunkItems: /],
  ])('is refused by its path: %j', (input, fault) => {
    expect(faultsOf(input)).toContainEqual(expect.stringMatching(fault));
  });

  it('must use a manifest when it is too large for Temporal', () => {
    const items = [1, 2].map((n) => ({
      ...KV,
      key: `k${n}`,
      payload: { value: 'v'.repeat(600_000) },
    }));

    expect(faultsOf({ storeId: 1, items })).toEqual([
      expect.stringMatching(/^items: .*"manifest"/),
    ]);
  });
});

describe('a line of a manifest', () => {
  it('follows the same rules as an inline item', () => {
    expect(parseInput(kvLineSchema(false), KV)).toMatchObject({ ok: true });
    expect(parseInput(kvLineSchema(false), FILTER)).toMatchObject({ ok: false });
    expect(parseInput(kvLineSchema(true), FILTER)).toMatchObject({ ok: true });
  });
});
