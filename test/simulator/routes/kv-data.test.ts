import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { kvEntrySchema, kvWrittenSchema } from '../../../src/contract/api/fastedge.js';
import {
  add,
  contentOf,
  DATA_PATH,
  manyItems,
  stateWithStores,
} from '../../support/worlds/kv-stores.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const createStore = () => createCloud({ state: stateWithStores() });

const ERROR = { status: 400, body: { error: expect.any(String) } };

describe('the data of a KV store', () => {
  it('are written in the order of the items and counted', async () => {
    const cloud = createStore();

    const { status, body } = await cloud.send('PUT', DATA_PATH, [
      add('k', 'old'),
      add('k', 'new'),
      {
        op: 'add',
        key: 'z',
        datatype: 'sorted_set',
        payload: [
          { value: 'a', score: 1 },
          { value: 'b', score: 2 },
        ],
      },
      { op: 'add', key: 'z', datatype: 'sorted_set', payload: [{ value: 'a', score: 3 }] },
      { op: 'del_entries', key: 'z', datatype: 'sorted_set', payload: [{ value: 'b' }] },
      { op: 'add', key: 'b', datatype: 'bloom_filter', payload: [{ value: 'x' }] },
      { op: 'del_key', key: 'gone', datatype: 'kv' },
    ]);

    expect(status).toBe(200);
    expect(kvWrittenSchema.parse(body)).toMatchObject({
      write_count: 6,
      del_count: 1,
      revision: 101,
    });
    expect(contentOf(cloud.simulator)).toEqual({ k: 'new', z: [['a', 3]], b: [['x', null]] });
  });

  it('keep their datatype unless the caller forces a change', async () => {
    const cloud = createStore();
    await cloud.send('PUT', DATA_PATH, [add('k', 'v')]);
    const set = { op: 'add', key: 'k', datatype: 'sorted_set', payload: [{ value: 'a' }] };

    expect(await cloud.send('PUT', DATA_PATH, [set])).toEqual(ERROR);
    const { status } = await cloud.send('PUT', `${DATA_PATH}?force=true`, [set]);

    expect(status).toBe(200);
    expect(contentOf(cloud.simulator)).toEqual({ k: [['a', null]] });
  });

  it('are written up to the first bad item', async () => {
    const cloud = createStore();
    await cloud.send('PUT', DATA_PATH, [add('k', 'v')]);
    const bad = { op: 'add', key: 'k', datatype: 'sorted_set', payload: [{ value: 'a' }] };

    expect(await cloud.send('PUT', DATA_PATH, [add('first', '1'), bad, add('last', '2')])).toEqual(
      ERROR,
    );

    expect(contentOf(cloud.simulator)).toEqual({ k: 'v', first: '1' });
  });

  it.each([
    [[{ op: 'add', key: 'k', datatype: 'kv' }]],
    [[{ op: 'del_entries', key: 'b', datatype: 'bloom_filter', payload: [{ value: 'x' }] }]],
    [{ key: 'k' }],
  ])('refuse a wrong body with only an error text: %j', async (body) => {
    expect(await createStore().send('PUT', DATA_PATH, body)).toEqual(ERROR);
  });

  it('are shown by key: long values as a hash, masked values not at all', async () => {
    const cloud = createStore();
    const long = 'x'.repeat(1_025);
    const expiry = '2030-01-01T00:00:00.000Z';
    await cloud.send('PUT', DATA_PATH, [
      { op: 'add', key: 'short', datatype: 'kv', payload: { value: 'v', expiry } },
      add('long', long),
      { op: 'add', key: 'secret', datatype: 'kv', payload: { value: 'v', encoding: 'masked' } },
    ]);
    const payloadOf = async (key: string) =>
      kvEntrySchema.parse((await cloud.send('GET', `${DATA_PATH}/${key}`)).body).payload;

    expect(await payloadOf('short')).toEqual({ value: 'v', encoding: 'plain', expiry });
    expect(await payloadOf('long')).toEqual({
      value: createHash('sha256').update(long).digest('hex'),
      encoding: 'sha256',
    });
    expect(await payloadOf('secret')).toEqual({});
  });

  it('vanish when they expire', async () => {
    const cloud = createStore();
    const expiry = '2001-01-01T00:00:00Z';
    await cloud.send('PUT', DATA_PATH, [
      { op: 'add', key: 'k', datatype: 'kv', payload: { value: 'v', expiry } },
    ]);

    expect(await cloud.send('GET', `${DATA_PATH}/k`)).toMatchObject({ status: 404 });
  });

  it.each([
    ['', 50, 60],
    ['?limit=10000', 60, 60],
    ['?search=key-6', 2, 2],
    ['?data_type=sorted_set', 0, 0],
    ['?offset=55', 5, 60],
  ])('are listed by page: %s', async (query, shown, count) => {
    const cloud = createStore();
    await cloud.send('PUT', DATA_PATH, manyItems(60));

    const { body } = await cloud.send('GET', DATA_PATH + query);

    expect(body).toMatchObject({ count, entries: { length: shown } });
  });

  it('show the members of a set in pages and no members of a filter', async () => {
    const cloud = createStore();
    const payload = Array.from({ length: 60 }, (_, index) => ({
      value: `m${index}`,
      score: index,
    }));
    await cloud.send('PUT', DATA_PATH, [
      { op: 'add', key: 'z', datatype: 'sorted_set', payload },
      { op: 'add', key: 'b', datatype: 'bloom_filter', payload: [{ value: 'x' }] },
    ]);

    const set = await cloud.send('GET', `${DATA_PATH}/z?offset=59`);
    const filter = await cloud.send('GET', `${DATA_PATH}/b`);

    expect(set.body).toMatchObject({
      payload: [{ value: 'm59', encoding: 'plain', score: 59 }],
      count: 60,
    });
    expect(filter.body).toMatchObject({ payload: [], count: 1 });
  });
});

describe('a query of the data of a KV store', () => {
  const encoded = Buffer.from('low').toString('base64');
  async function createSets() {
    const cloud = createStore();
    await cloud.send('PUT', DATA_PATH, [
      add('plain', 'v'),
      {
        op: 'add',
        key: 'high',
        datatype: 'sorted_set',
        payload: [{ value: 'hi', score: 10 }, { value: 'hello', score: 12.5 }, { value: 'none' }],
      },
      {
        op: 'add',
        key: 'low',
        datatype: 'sorted_set',
        payload: [{ value: encoded, encoding: 'base64', score: -3 }],
      },
      { op: 'add', key: 'filter', datatype: 'bloom_filter', payload: [{ value: 'x' }] },
    ]);
    return cloud;
  }

  it.each([
    ['', ['plain', 'high', 'low', 'filter']],
    ['?min_score=1.1e1', ['plain', 'high', 'filter']],
    ['?max_score=-3', ['plain', 'low', 'filter']],
    ['?min_score=-2&max_score=-1', ['plain', 'filter']],
    ['?min_score=11&data_type=sorted_set', ['high']],
    ['?data_type=kv&data_type=bloom_filter', ['plain', 'filter']],
    ['?search=hi&max_score=10', ['high']],
  ])('lists the keys with matching members: %s', async (query, keys) => {
    const { body } = await (await createSets()).send('GET', DATA_PATH + query);

    expect(body).toMatchObject({ count: keys.length, entries: keys.map((key) => ({ key })) });
  });

  const hash = createHash('sha256').update('hello').digest('hex');
  it.each([
    ['high?search=he', ['hello']],
    ['high?search=llo', []],
    ['high?search=', ['hi', 'hello', 'none']],
    ['high?search=h&limit=1&offset=1', ['hello'], 2],
    [`high?hash=${hash}`, ['hello']],
    [`high?hash=${hash.toUpperCase()}`, ['hello']],
    [`high?hash=${'0'.repeat(64)}`, []],
    ['high?min_score=10&max_score=10', ['hi']],
    ['high?max_score=0', ['none']],
    ['low?search=lo', [encoded]],
    [`low?hash=${createHash('sha256').update('low').digest('hex')}`, [encoded]],
  ])('shows the matching members of %s', async (path, values, count = values.length) => {
    const { body } = await (await createSets()).send('GET', `${DATA_PATH}/${path}`);

    expect(body).toMatchObject({ count, payload: values.map((value) => ({ value })) });
  });

  it.each([
    '?min_score=low',
    '?min_score=',
    '?search=',
    '?hash=00',
    '?limit=10001',
    '?data_type=list',
    '/high?hash=00',
    '/high?max_score=x',
    '/high?limit=0',
    '/high?data_type=kv',
  ])('refuses %s with only an error text', async (query) => {
    expect(await (await createSets()).send('GET', DATA_PATH + query)).toEqual(ERROR);
  });
});
