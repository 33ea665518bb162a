import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import type { KvCompareInput } from '../../src/activities/kv-stores.js';
import type { KvMember } from '../../src/contract/api/fastedge.js';
import type { KvItem } from '../../src/contract/index.js';
import { failureIn, inActivity } from '../support/http/in-activity.js';
import { add, DATA_PATH, manyItems, STORE } from '../support/worlds/kv-stores.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const WRITTEN = { write_count: 1, del_count: 0, write_size: 5, store_size: 9, revision: 7 };
const chunk = (items: KvItem[], force = false) => ({ storeId: STORE, force, source: { items } });

describe('sendKvChunk', () => {
  it('sends the items unchanged and returns the counts', async () => {
    const { activities, requests } = createScriptedApi(() => json(WRITTEN));

    const written = await inActivity(() => activities.sendKvChunk(chunk(manyItems(2))));

    expect(written).toEqual({
      writeCount: 1,
      delCount: 0,
      writeSize: 5,
      storeSize: 9,
      revision: 7,
    });
    expect(requests[0]?.url.pathname).toBe(DATA_PATH);
    expect(requests[0]?.url.search).toBe('');
  });

  it('passes `force` to the API', async () => {
    const { activities, requests } = createScriptedApi(() => json(WRITTEN));

    await inActivity(() => activities.sendKvChunk(chunk(manyItems(1), true)));

    expect(requests[0]?.url.search).toBe('?force=true');
  });

  it('tells the revision before, if it is asked for', async () => {
    const { activities, requests } = createScriptedApi(({ method }) =>
      json(method === 'GET' ? { name: 's', size: 1, revision: 6 } : WRITTEN),
    );

    const written = await inActivity(() =>
      activities.sendKvChunk({ ...chunk(manyItems(1)), looksFirst: true }),
    );

    expect(written).toMatchObject({ before: 6, revision: 7 });
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  });

  it('is not sent while the store cannot be read before', async () => {
    const { activities, requests } = createScriptedApi(() => json({ error: 'later' }, 503));

    const { type } = await failureIn(() =>
      activities.sendKvChunk({ ...chunk(manyItems(1)), looksFirst: true }),
    );

    expect(type).toBe('ServiceUnavailable');
    // Repeated once in place, as everything before a call.
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it.each([500, 503])('has an unknown outcome after %i', async (status) => {
    const { activities } = createScriptedApi(() => json({ error: 'later' }, status));

    const { type } = await failureIn(() => activities.sendKvChunk(chunk(manyItems(1))));

    expect(type).toBe('OutcomeUnknown');
  });

  it('shows no masked value when the API repeats it', async () => {
    const value = 'canary-4711';
    const { activities } = createScriptedApi(() => json({ error: `bad value ${value}` }, 400));
    const item: KvItem = {
      op: 'add',
      key: 'k',
      datatype: 'kv',
      payload: { value, encoding: 'masked' },
    };

    const { message, details } = await failureIn(() => activities.sendKvChunk(chunk([item])));

    expect(JSON.stringify([message, details])).not.toContain(value);
  });

  it('reads no manifest unless the worker is configured for it', async () => {
    const { activities, requests } = createScriptedApi(() => json(WRITTEN));
    const manifest = { url: 'file:push.jsonl' };
    const range = { line: 1, count: 1, offset: 0, bytes: 9, digest: 'x' };

    const { type } = await failureIn(() =>
      activities.sendKvChunk({ storeId: STORE, force: false, source: { manifest, range } }),
    );

    expect([type, requests]).toEqual(['ManifestUnreadable', []]);
  });
});

const HIDDEN = 'a member that the input removes may be one that the API does not show';
const NOT_ALL = 'the API does not show all members';

describe('compareKvChunk', () => {
  const long = 'x'.repeat(2_000);
  const hash = (form: 'hex' | 'base64') => createHash('sha256').update(long).digest(form);
  const kv = (payload: unknown) => json({ key: 'k', datatype: 'kv', payload, count: 1 });
  const gone = () => new Response(null, { status: 404 });
  const item = (payload: object): KvItem => ({
    op: 'add',
    key: 'k',
    datatype: 'kv',
    payload: { value: 'v', ...payload },
  });
  const members: KvItem = {
    op: 'add',
    key: 'k',
    datatype: 'sorted_set',
    payload: [{ value: 'a', score: 1 }, { value: 'b' }],
  };
  const takenOut = (member: KvMember): KvItem => ({
    op: 'del_entries',
    key: 'k',
    datatype: 'sorted_set',
    payload: [member],
  });
  const set = (...payload: unknown[]) => json({ key: 'k', datatype: 'sorted_set', payload });

  const compare = (answer: () => Response, source: KvItem[], only?: number[]) => {
    const { activities, requests } = createScriptedApi(answer);
    const input: KvCompareInput = {
      storeId: STORE,
      source: { items: source },
      ...(only && { only }),
    };
    return { requests, comparison: inActivity(() => activities.compareKvChunk(input)) };
  };

  it.each([
    ['the value', add('k', 'v'), () => kv({ value: 'v', encoding: 'plain' })],
    [
      'the value in another encoding',
      add('k', 'v'),
      () => kv({ value: 'dg==', encoding: 'base64' }),
    ],
    [
      'the hash of a long value',
      add('k', long),
      () => kv({ value: hash('hex'), encoding: 'sha256' }),
    ],
    ['the hash in base64', add('k', long), () => kv({ value: hash('base64'), encoding: 'sha256' })],
    [
      'the hash in capitals',
      add('k', long),
      () => kv({ value: hash('hex').toUpperCase(), encoding: 'sha256' }),
    ],
    ['no key that was removed', { op: 'del_key', key: 'k', datatype: 'kv' }, gone],
    ['no key that has expired', item({ expiry: '2001-01-01T00:00:00Z' }), gone],
    [
      'the time of expiry',
      item({ expiry: '2030-01-01T01:00:00+01:00' }),
      () => kv({ value: 'v', expiry: '2030-01-01T00:00:00Z' }),
    ],
    [
      'the members',
      members,
      () => set({ value: 'b', score: 9 }, { value: 'a', score: 1 }, { value: 'c' }),
    ],
    ['no set whose members were taken out', { ...members, op: 'del_entries' }, gone],
    ['no members in an empty set', takenOut({ value: 'a', encoding: 'masked' }), () => set()],
    ['no member that was removed', takenOut({ value: long }), () => set({ value: 'b' })],
  ] satisfies [string, KvItem, () => Response][])('finds %s', async (_, asked, answer) => {
    await expect(compare(answer, [asked]).comparison).resolves.toEqual({
      same: 1,
      differs: 0,
      differing: [],
      unknown: [],
    });
  });

  it.each([
    ['is missing', add('k', 'v'), gone],
    ['holds another value', add('k', 'v'), () => kv({ value: 'w' })],
    [
      'holds another value',
      add('k', long),
      () => kv({ value: '0'.repeat(64), encoding: 'sha256' }),
    ],
    ['still exists', { op: 'del_key', key: 'k', datatype: 'kv' }, () => kv({ value: 'v' })],
    ['has the data type sorted_set', add('k', 'v'), () => set()],
    [
      'expires at 2030-01-01T00:00:00Z',
      add('k', 'v'),
      () => kv({ value: 'v', expiry: '2030-01-01T00:00:00Z' }),
    ],
    ['lacks 1 of 2 members', members, () => set({ value: 'a', score: 1 })],
    [
      'has a member with another score',
      members,
      () => set({ value: 'a', score: 2 }, { value: 'b' }),
    ],
    [
      'still has a member that the input removes',
      { ...members, op: 'del_entries' },
      () => set({ value: 'a' }),
    ],
    [
      'still has a member that the input removes',
      takenOut({ value: long }),
      () => set({ value: hash('hex'), encoding: 'sha256' }),
    ],
    [
      'has a member with another score',
      members,
      () => set({ value: 'b', score: 1 }, { value: 'a', score: 2 }),
    ],
  ] satisfies [string, KvItem, () => Response][])(
    'finds that a key %s',
    async (why, asked, answer) => {
      await expect(compare(answer, [asked]).comparison).resolves.toMatchObject({
        same: 0,
        differs: 1,
        differing: [{ key: 'k', why }],
      });
    },
  );

  it.each([
    ['the API never returns masked values', item({ encoding: 'masked' }), () => kv({})],
    ['the API does not show the value', add('k', 'v'), () => kv({})],
    [
      'the API does not show when the key expires',
      item({ expiry: '2030-01-01T00:00:00Z' }),
      () => kv({ value: 'v' }),
    ],
    [
      'the API cannot list a bloom filter',
      { op: 'add', key: 'k', datatype: 'bloom_filter', payload: [{ value: 'x' }] },
      () => json({ key: 'k', datatype: 'bloom_filter', payload: [] }),
    ],
    [
      'the API does not show the value',
      add('k', 'v'),
      () => kv({ value: '*', encoding: 'masked' }),
    ],
    [HIDDEN, takenOut({ value: 'a' }), () => set({ value: 'b' }, { score: 1 })],
    [HIDDEN, takenOut({ value: 'a' }), () => set({ value: '*', encoding: 'masked' })],
    [HIDDEN, takenOut({ value: 'a', encoding: 'masked' }), () => set({ value: 'b' })],
    [NOT_ALL, takenOut({ value: 'a' }), () => json({ key: 'k', datatype: 'sorted_set' })],
    [NOT_ALL, members, () => json({ key: 'k', datatype: 'sorted_set', payload: null })],
    [
      'the API does not show the score of a member',
      members,
      () => set({ value: 'a' }, { value: 'b' }),
    ],
  ] satisfies [string, KvItem, () => Response][])(
    'reports as unknown: %s',
    async (reason, asked, answer) => {
      await expect(compare(answer, [asked]).comparison).resolves.toMatchObject({
        same: 0,
        differs: 0,
        unknown: [{ reason, keys: 1 }],
      });
    },
  );

  describe('of a set in pages', () => {
    const rows = ['a', 'b', 'c'].map((value) => ({ value }));
    const compareSet = async (answer: (offset: number) => object, value: string) => {
      const { activities, requests } = createScriptedApi(({ url }) =>
        json({
          key: 'k',
          datatype: 'sorted_set',
          ...answer(Number(new URL(url).searchParams.get('offset'))),
        }),
      );
      const source = { items: [takenOut({ value })] };
      const found = await inActivity(() => activities.compareKvChunk({ storeId: STORE, source }));
      return { ...found, offsets: requests.map(({ url }) => url.searchParams.get('offset')) };
    };

    it('goes on after a page that is shorter than asked', async () => {
      const found = await compareSet(
        (offset) => ({ count: 3, payload: rows.slice(offset, offset + 2) }),
        'c',
      );

      expect(found).toMatchObject({ differs: 1, offsets: ['0', '2'] });
    });

    it('does not take a part for the whole', async () => {
      const found = await compareSet(
        (offset) => ({ count: 3, payload: offset === 0 ? rows.slice(0, 2) : [] }),
        'c',
      );

      expect(found).toMatchObject({ same: 0, unknown: [{ reason: NOT_ALL }] });
    });
  });

  it('reads each key once and expects the value of its last item', async () => {
    const { requests, comparison } = compare(
      () => kv({ value: 'new' }),
      [add('k', 'old'), add('k', 'new')],
    );

    expect((await comparison).same).toBe(1);
    expect(requests).toHaveLength(1);
  });

  it('reads only the selected items, whatever characters their keys have', async () => {
    const { requests, comparison } = compare(
      () => kv({ value: '2' }),
      [add('a', '1'), add('b/c?', '2'), add('..', '3')],
      [1, 2],
    );

    expect(await comparison).toMatchObject({
      same: 1,
      unknown: [{ reason: 'the API cannot look up a key with this name', keys: 1 }],
    });
    expect(requests.map(({ url }) => url.pathname)).toEqual([`${DATA_PATH}/b%2Fc%3F`]);
  });
});

describe('findKvDatatypes', () => {
  it('returns the existing keys with their datatypes and lines', async () => {
    const { activities, requests } = createScriptedApi(({ url }) =>
      new URL(url).pathname.endsWith('key-2')
        ? json({ key: 'key-2', datatype: 'sorted_set', payload: [], count: 3 })
        : json({ error: 'no such key' }, 404),
    );
    const { storeId, source } = chunk([...manyItems(3), add('..', 'x')]);

    const found = await inActivity(() => activities.findKvDatatypes({ storeId, source }));
    const some = await inActivity(() =>
      activities.findKvDatatypes({ storeId, source, only: [0, 2] }),
    );

    expect(found).toEqual([{ line: 2, key: 'key-2', datatype: 'sorted_set', wanted: 'kv' }]);
    expect(some).toEqual([]);
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
  });

  it('fails when the API refuses the read', async () => {
    const { activities } = createScriptedApi(() => json({ error: 'no' }, 401));
    const { storeId, source } = chunk(manyItems(1));

    const { type } = await failureIn(() => activities.findKvDatatypes({ storeId, source }));

    expect(type).toBe('Unauthorized');
  });
});
