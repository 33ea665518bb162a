import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { STORE } from '../support/worlds/kv-stores.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

describe('findKvStores', () => {
  it('reads every page and returns the stores with exactly this name', async () => {
    const row = (id: number, name: string) => ({ id, name, app_count: 0 });
    const { activities, requests } = createScriptedApi(({ url }) =>
      new URL(url).searchParams.has('offset')
        ? json({ count: 3, stores: [row(2, 'my shop'), row(3, 'shop')] })
        : json({ count: 3, stores: [row(1, 'shop'), row(2, 'my shop')] }),
    );

    const found = await inActivity(() => activities.findKvStores({ name: 'shop' }));

    const texts = { name: 'shop', comment: '', fit: 'as asked', lacksComment: true };
    expect(found).toEqual({
      count: 2,
      stores: [
        { id: 1, ...texts },
        { id: 3, ...texts },
      ],
    });
    expect(requests.map(({ url }) => url.search)).toEqual(['?limit=1000', '?limit=1000&offset=1']);
  });
});

describe('the fit of a KV store', () => {
  it.each([
    ['as asked', { name: 'Web Shop', comment: 'Of the shop' }],
    ['similar', { name: 'web shop', comment: 'of the shop' }],
    ['similar', { name: 'Web Shop', comment: 'of the shop' }],
    ['other', { name: 'Web Shop', comment: 'of the bakery' }],
    ['similar', { name: 'Web Shop', comment: null }],
    ['similar', { name: 'Web Shop' }],
    ['similar', { id: 7, name: 'x', comment: '' }],
    [undefined, { name: 'web shops', comment: 'Of the shop' }],
  ])('is %s: %j', async (fit, texts) => {
    const row = { id: 1, app_count: 0, ...texts };
    const { activities } = createScriptedApi(() => json({ count: 1, stores: [row] }));
    const wanted = { name: 'Web Shop', comment: 'Of the shop', storeId: 7 };

    const { stores } = await inActivity(() => activities.findKvStores(wanted));

    expect(stores.map((store) => store.fit)).toEqual(fit === undefined ? [] : [fit]);
  });
});

describe('replaceKvStore', () => {
  const LONG = 'x'.repeat(5_000);
  const wire = { name: 'shop', comment: LONG, app_count: 1, size: 9, revision: 7 };
  const replace = async (shown: object) => {
    const { activities, requests } = createScriptedApi(({ method }) =>
      json(method === 'GET' ? shown : wire),
    );
    const before = createScriptedApi(() => json(wire)).activities;
    const { name, comment } = await inActivity(() => before.getKvStore({ storeId: STORE }));
    const input = { storeId: STORE, name: 'new', seen: { name, comment } };
    return { act: () => activities.replaceKvStore(input), requests };
  };

  it('sends the whole store: what is left out as it is, however long', async () => {
    const { act, requests } = await replace(wire);

    await inActivity(act);

    expect(requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', undefined],
      ['PUT', { name: 'new', comment: LONG }],
    ]);
  });

  it('sends no comment where the API shows none', async () => {
    const shown = { name: 'shop', app_count: 1, size: 9, revision: 7 };
    const { activities, requests } = createScriptedApi(() => json(shown));
    const seen = { name: 'shop', comment: '' };

    await inActivity(() => activities.replaceKvStore({ storeId: STORE, name: 'new', seen }));

    expect(requests.map(({ body }) => body)).toEqual([undefined, { name: 'new' }]);
  });

  it.each([
    ['another name', { name: 'other' }],
    ['another comment', { comment: 'other' }],
    ['no revision, which only a store of the edge has', { revision: undefined, size: 0 }],
    ['its data elsewhere', { byod: { url: 'redis://db.example.com', prefix: 'a:' } }],
  ])('sends nothing when the store has %s by then', async (_what, change) => {
    const { act, requests } = await replace({ ...wire, ...change });

    expect(await failureIn(act)).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
