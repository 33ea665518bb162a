import type { SimulatorState } from '../../../src/simulator/index.js';
import { badInputsOf, type BadInput } from './bad-input.js';
import { add, kvInput, stateWithStores, STORE } from '../worlds/kv-stores.js';

const bad = badInputsOf('modifyKvStore', kvInput());
const items = (...list: unknown[]) => ({ items: list });
const manifest = (name: string) => ({ items: undefined, manifest: { url: `file:${name}` } });
const FILTER = { op: 'add', key: 'seen', datatype: 'bloom_filter', payload: [{ value: 'a' }] };

const BROKEN: readonly BadInput[] = [
  bad('no items', { items: undefined }, ['items', /is missing: .*"manifest"/]),
  bad('an empty list', items(), ['items', /at least one item/]),
  bad('two lists', { manifest: { url: 'file:a.jsonl' } }, ['manifest', /cannot be combined/]),
  bad('force alone', { force: true }, ['force', /allowIrreversible/]),
  bad('an addition to a filter without a confirmation', items(FILTER), [
    'items[0]',
    /cannot be undone/,
  ]),
  bad('an item without a value', items({ ...add('a', '1'), payload: undefined }), [
    'items[0].payload',
    /only "del_key"/,
  ]),
  bad('a delete with a value', items({ ...add('a', '1'), op: 'del_key' }), [
    'items[0].payload',
    /left out/,
  ]),
  bad('entries of a plain key', items({ ...add('a', '1'), op: 'del_entries' }), [
    'items[0].op',
    /no entries/,
  ]),
  bad('entries of a filter', items({ ...FILTER, op: 'del_entries' }), [
    'items[0].op',
    /removes the whole filter/,
  ]),
  bad(
    'a hash as a value',
    items({ ...add('a', '1'), payload: { value: 'x', encoding: 'sha256' } }),
    ['items[0].payload.encoding', /does not accept/],
  ),
  bad(
    'a value that is not base64',
    items({ ...add('a', '1'), payload: { value: '!', encoding: 'base64' } }),
    ['items[0].payload.value', /must be base64/],
  ),
  bad('an empty key', items(add('', '1')), ['items[0].key', /empty/]),
  bad('a store by its name', { storeId: 'mine' }, ['storeId', /number/]),
  bad('a manifest outside the root', manifest('../items.jsonl'), ['manifest.url', /below/]),
];

const IMPOSSIBLE: readonly BadInput[] = [
  bad('an unknown store', { storeId: 99 }, ['storeId', /GET .fastedge.v1.kv/]),
  bad('a key of another datatype', items(add('ranking', '1')), [
    'items[0].datatype',
    /sorted_set.*force/,
  ]),
  bad(
    'a key that changes its datatype between two items',
    items(add('a', '1'), { ...FILTER, key: 'a', datatype: 'sorted_set' }),
    ['items[1].datatype', /has the datatype kv by then/],
  ),
  bad('a missing manifest', manifest('none.jsonl'), ['manifest.url', /none\.jsonl/]),
  bad('a bad line', manifest('items-bad.jsonl'), ['line 2, op', /add/]),
  bad('a key in two lines', manifest('items-twice.jsonl'), ['line 3, key', /earlier line/]),
];

export const BAD_PUSH_INPUTS: readonly BadInput[] = [...BROKEN, ...IMPOSSIBLE];

export const PUSH_MANIFESTS = {
  'items-bad.jsonl': [add('a', '1'), { ...add('b', '2'), op: 'replace' }],
  'items-twice.jsonl': [add('a', '1'), add('b', '2'), add('a', '3')],
};

/** A store with a key that is a sorted set. */
export const PUSH_STATE: Pick<SimulatorState, 'kvStores' | 'kvEntries'> = {
  kvStores: stateWithStores().kvStores,
  kvEntries: [
    {
      id: `${STORE}/ranking`,
      storeId: String(STORE),
      key: 'ranking',
      datatype: 'sorted_set',
      values: [{ value: 'a', encoding: 'plain', score: 1 }],
      expiresAt: null,
    },
  ],
};
