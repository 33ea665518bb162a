import { describe, expect, it } from '@jest/globals';

import type { KvItem } from '../../../src/contract/index.js';
import { createSimulator } from '../../../src/simulator/index.js';
import { inActivity } from '../../support/http/in-activity.js';
import {
  add,
  DATA_PATH,
  manyItems,
  stateWithStores,
  STORE,
} from '../../support/worlds/kv-stores.js';
import { createScriptedApi } from '../../support/http/scripted-api.js';

describe('compareKvChunk of many plain keys', () => {
  const simulated = async (written: KvItem[], others = 0) => {
    const simulator = createSimulator({ state: stateWithStores() });
    const send = (url: string, init?: RequestInit) =>
      simulator.fetch(url, { ...init, headers: { authorization: 'apikey simulator-key' } });
    const more = Array.from({ length: others }, (_, index) => add(`other-${index}`, 'x'));
    const body = JSON.stringify([...written, ...more]);
    await send(`http://x${DATA_PATH}`, { method: 'PUT', body });
    return createScriptedApi((request) => send(request.url));
  };
  const compareAll = ({ activities }: Awaited<ReturnType<typeof simulated>>, items: KvItem[]) =>
    inActivity(() => activities.compareKvChunk({ storeId: STORE, source: { items } }));

  it('reads keys with a common prefix by page', async () => {
    const api = await simulated(manyItems(200), 30);

    expect(await compareAll(api, manyItems(200))).toMatchObject({ same: 200, differs: 0 });
    expect(api.requests.map(({ url }) => url.pathname + url.search)).toEqual([
      `${DATA_PATH}?data_type=kv&search=key-&limit=5000&offset=0`,
    ]);
  });

  it('reads each key again that is missing or different on the page', async () => {
    const api = await simulated([...manyItems(200), add('key-7', 'theirs')]);

    const comparison = await compareAll(api, [...manyItems(200), add('key-201', 'new')]);

    expect(comparison).toMatchObject({
      same: 199,
      differing: [
        { key: 'key-7', why: 'holds another value' },
        { key: 'key-201', why: 'is missing' },
      ],
    });
    expect(api.requests.map(({ url }) => url.pathname).slice(1)).toEqual([
      `${DATA_PATH}/key-7`,
      `${DATA_PATH}/key-201`,
    ]);
  });

  it('does not read a large store to its end for few keys', async () => {
    const items = [...manyItems(60), add('x', '1')];
    const api = await simulated(items, 20_000);

    expect(await compareAll(api, items)).toMatchObject({ same: 61 });
    const lists = api.requests.filter(({ url }) => url.pathname === DATA_PATH);
    expect(lists).toHaveLength(1);
  });
});
