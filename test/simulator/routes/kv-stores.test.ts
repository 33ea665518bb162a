import { describe, expect, it } from '@jest/globals';

import { kvStoreSchema } from '../../../src/contract/api/fastedge.js';
import { add, DATA_PATH, stateWithStores, STORE } from '../../support/worlds/kv-stores.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const STORE_PATH = `/fastedge/v1/kv/${STORE}`;
const createStore = () => createCloud({ state: stateWithStores() });

const ERROR = { status: 400, body: { error: expect.any(String) } };

describe('a KV store', () => {
  it('is created, listed, shown and removed', async () => {
    const cloud = createStore();

    const made = await cloud.send('POST', '/fastedge/v1/kv', { name: 'other' });
    const listed = await cloud.send('GET', '/fastedge/v1/kv?search=oth');
    const shown = await cloud.send('GET', '/fastedge/v1/kv/2');

    expect(made).toMatchObject({ status: 200, body: { id: 2, name: 'other' } });
    expect(listed.body).toMatchObject({ count: 1, stores: [{ id: 2 }] });
    expect(kvStoreSchema.parse(shown.body)).toMatchObject({ name: 'other', revision: 0 });
    expect(await cloud.send('DELETE', '/fastedge/v1/kv/2')).toMatchObject({ status: 204 });
    expect(await cloud.send('GET', '/fastedge/v1/kv/2')).toMatchObject({ status: 404 });
  });

  it('gets another name and comment, and keeps its data and its type', async () => {
    const cloud = createStore();
    const byod = { url: 'redis://db', prefix: 'p' };
    await cloud.send('PUT', DATA_PATH, [add('k', 'v')]);
    await cloud.send('POST', '/fastedge/v1/kv', { name: 'own', comment: 'ours', byod });

    const renamed = await cloud.send('PUT', STORE_PATH, { name: 'new', comment: 'c' });
    const moved = { name: 'own', byod: { ...byod, prefix: 'q' } };
    await cloud.send('PUT', '/fastedge/v1/kv/2', moved);
    const kept = await cloud.send('PUT', '/fastedge/v1/kv/2', { name: 'mine' });

    expect(renamed.body).not.toHaveProperty('id');
    expect(renamed.body).toMatchObject({ name: 'new', comment: 'c', size: 1, revision: 101 });
    expect(await cloud.send('GET', STORE_PATH)).toEqual(renamed);
    expect(kept.body).toEqual({ ...moved, name: 'mine', comment: '', app_count: 0, size: 0 });
    expect(await cloud.send('PUT', STORE_PATH, moved)).toEqual(ERROR);
    expect(await cloud.send('PUT', STORE_PATH, { comment: 'no name' })).toEqual(ERROR);
    expect(await cloud.send('PUT', '/fastedge/v1/kv/9', { name: 'a' })).toMatchObject({
      status: 404,
    });
  });

  it('is found by its app, and not removed while apps use it', async () => {
    const state = stateWithStores(2);
    const [first, second] = state.kvStores.map((store, index) => ({
      ...store,
      appIds: index === 0 ? [] : [7, 8],
    }));
    const kvStores = [first, second].flatMap((store) => store ?? []);
    const cloud = createCloud({ state: { ...state, kvStores } });

    const byApp = await cloud.send('GET', '/fastedge/v1/kv?app_id=8');
    const none = await cloud.send('GET', '/fastedge/v1/kv?app_id=9');
    const refused = await cloud.send('DELETE', '/fastedge/v1/kv/2');

    expect(byApp.body).toEqual({
      count: 1,
      stores: [{ id: 2, name: 'store-2', comment: '', app_count: 2, size: 0 }],
    });
    expect(none.body).toEqual({ count: 0, stores: [] });
    expect(refused).toEqual({
      status: 409,
      body: { error: expect.any(String), conflicting_ids: [7, 8] },
    });
    expect(cloud.simulator.snapshot().kvStores).toHaveLength(2);
  });

  it('has no size and no revision when its data are elsewhere', async () => {
    const byod = { url: 'redis://db', prefix: 'p' };
    const cloud = createStore();
    await cloud.send('POST', '/fastedge/v1/kv', { name: 'own', byod });

    const { body } = await cloud.send('GET', '/fastedge/v1/kv/2');

    expect(body).toEqual({ name: 'own', comment: '', app_count: 0, byod, size: 0 });
  });

  it('that does not exist is answered with 404 and no body', async () => {
    const answer = await createStore().sendAs(
      { authorization: 'apikey simulator-key' },
      { method: 'GET', path: '/fastedge/v1/kv/9' },
    );

    expect(answer).toEqual({ status: 404, body: undefined });
  });

  it('survives a snapshot', async () => {
    const cloud = createStore();
    await cloud.send('PUT', DATA_PATH, [add('k', 'v')]);

    const other = createCloud({ state: cloud.simulator.snapshot() });

    expect(await other.send('GET', STORE_PATH)).toMatchObject({ body: { revision: 101, size: 1 } });
  });
});
