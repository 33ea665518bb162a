import { describe, expect, it } from '@jest/globals';

import { abortUpdate, statusQuery } from '../../src/engine/core/messages.js';
import type { SimulatorState } from '../../src/simulator/index.js';
import { until } from '../support/timing/until.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { stateWithStores, STORE, STORES_PATH } from '../support/worlds/kv-stores.js';

const ASKED = { name: 'store-1', comment: 'of the shop' };
const BYOD = { url: 'rediss://:secret@db.example.com', prefix: 'shop:' };

const stores = ({ simulator }: Scenario) => simulator.inventory().kvStores;

/** Two stores, and each is as asked. */
function twoOfOneName(): SimulatorState {
  const state = stateWithStores(2);
  return { ...state, kvStores: state.kvStores.map((store) => ({ ...store, ...ASKED })) };
}

describe('createKvStore', () => {
  it('makes the store beside one whose name is longer, and verifies that the list has it', () =>
    inScenario(
      { state: stateWithStores(1, { name: 'store-10' }), record: 'kv-store-created' },
      async (scenario) => {
        const run = await scenario.start('createKvStore', ASKED);

        expect(await run.result()).toMatchObject({
          storeId: 2,
          name: 'store-1',
          created: true,
          taskIds: [],
          ledger: [{ name: 'make KV store', state: 'verified', note: 'made: store 2' }],
        });
        expect(stores(scenario)).toMatchObject([{ name: 'store-10' }, ASKED]);
      },
    ));

  it('sends nothing when there is a store of this name, whatever its comment when none is given', () =>
    inScenario({ state: stateWithStores(1, { comment: 'other' }) }, async (scenario) => {
      const run = await scenario.start('createKvStore', { name: 'store-1' });

      expect(await run.result()).toMatchObject({ storeId: STORE, created: false });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('makes no second store because one list lacks the first', () =>
    inScenario({ state: stateWithStores(1, ASKED) }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: STORES_PATH },
        action: { kind: 'status', status: 200, body: { count: 0, stores: [] } },
      });
      const run = await scenario.start('createKvStore', ASKED);

      expect(await run.result()).toMatchObject({ storeId: STORE, created: false });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('makes no second store of a name because the second list lacks the first one', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: STORES_PATH, nth: 2 },
        action: { kind: 'status', status: 200, body: { count: 0, stores: [] } },
      });
      const run = await scenario.start('createKvStore', ASKED);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('makes no second store where the API has stored its name in another form', () =>
    inScenario({ state: stateWithStores(1, { name: 'store-one' }) }, async (scenario) => {
      const run = await scenario.start('createKvStore', { name: 'Store-One' });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('Store 1 has the name "store-one", another form of'),
      });
      expect(scenario.mutations()).toEqual([]);
    }));

  it.each([
    [stateWithStores(), 'comment', 'Store 1 has the name "store-1", with another comment'],
    [twoOfOneName(), 'name', '2 stores have the name "store-1": 1, 2'],
  ])('refuses a name that is not as asked, in a plan too: %#', (state, path, message) =>
    inScenario({ state }, async (scenario) => {
      expect(await planOf(scenario, 'createKvStore', { input: ASKED })).toMatchObject({
        ready: false,
        findings: [{ path, message }],
      });
      const run = await scenario.start('createKvStore', ASKED);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it.each([[null], [undefined]])(
    'makes one store with an empty comment, which is shown as %s',
    (comment) =>
      inScenario({}, async (scenario) => {
        const bare = { id: 1, name: 'store-1', ...(comment === null && { comment }) };
        scenario.simulator.faults.add({
          match: { method: 'GET', path: STORES_PATH, nth: 3, times: Infinity },
          action: { kind: 'status', status: 200, body: { count: 1, stores: [bare] } },
        });
        const run = await scenario.start('createKvStore', { name: 'store-1', comment: '' });

        expect(await run.result()).toMatchObject({ storeId: 1, created: true });
        expect(scenario.mutations()).toEqual([`POST ${STORES_PATH}`]);
      }),
  );

  it('does not take a comment for empty because one answer lacks it', () =>
    inScenario({ state: stateWithStores(1, { comment: 'old' }) }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: STORES_PATH },
        action: {
          kind: 'status',
          status: 200,
          body: { count: 1, stores: [{ id: STORE, name: 'store-1' }] },
        },
      });
      const run = await scenario.start('createKvStore', { name: 'store-1', comment: '' });

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }));

  it('finds the store of a call whose answer was lost, and makes no second one', () =>
    inScenario({}, async (scenario) => {
      const match = { method: 'POST', path: STORES_PATH };
      scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await scenario.start('createKvStore', ASKED);

      expect(await run.result()).toMatchObject({ storeId: 1, created: true });
      expect(scenario.mutations()).toEqual([`POST ${STORES_PATH}`]);
    }));

  it('names the store that a look has shown, when it is aborted before it is sure', () =>
    inScenario({}, async (scenario) => {
      const { faults } = scenario.simulator;
      faults.add({
        match: { method: 'POST', path: STORES_PATH },
        action: { kind: 'drop-response' },
      });
      faults.add({
        match: { method: 'GET', path: STORES_PATH, nth: 4, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await scenario.start('createKvStore', ASKED);
      await until('the look is over', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[0]?.state === 'accepted';
      });
      await run.executeUpdate(abortUpdate, { args: [{}] });

      const resources = [{ kind: 'kv-store', id: '1' }];
      expect(await failureOfRun(run)).toMatchObject({ type: 'Aborted', details: { resources } });
    }));
});

describe('replaceKvStore', () => {
  it('sets what is given and keeps what is left out', () =>
    inScenario({ state: stateWithStores(), record: 'kv-store-replaced' }, async (scenario) => {
      const input = { storeId: STORE, comment: 'of the shop' };
      const run = await scenario.start('replaceKvStore', input);

      expect(await run.result()).toMatchObject({
        storeId: STORE,
        before: { name: 'store-1', comment: '' },
        after: ASKED,
        ledger: [{ note: 'set: comment' }],
      });
      expect(stores(scenario)).toMatchObject([ASKED]);
    }));

  it('succeeds when the API has written the comment in another form', () => {
    const squeezing = async (request: Request) =>
      request.method === 'GET'
        ? fetch(request)
        : fetch(new Request(request, { body: (await request.text()).replaceAll('  ', ' ') }));
    return inScenario({ state: stateWithStores(), line: squeezing }, async (scenario) => {
      const input = { storeId: STORE, comment: 'of the  shop' };
      const run = await scenario.start('replaceKvStore', input);

      expect(await run.result()).toMatchObject({ after: ASKED });
      expect(scenario.mutations()).toHaveLength(1);
    });
  });

  it('keeps what somebody changes while the API turns the call away', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { simulator } = scenario;
      const match = { method: 'PUT', path: `${STORES_PATH}/${STORE}`, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 409 } });
      const run = await scenario.start('replaceKvStore', { storeId: STORE, comment: 'new' });
      await until('it was turned away', () => scenario.mutations().length > 0);

      simulator.restore(stateWithStores(1, { name: 'renamed' }));
      simulator.faults.clear();

      expect(await run.result()).toMatchObject({ after: { name: 'renamed', comment: 'new' } });
    }));

  it('is not ended by one 404', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `${STORES_PATH}/${STORE}` },
        action: { kind: 'status', status: 404 },
      });
      const run = await scenario.start('replaceKvStore', { storeId: STORE, comment: 'new' });

      expect(await run.result()).toMatchObject({ after: { comment: 'new' } });
    }));

  it('does not take a comment for empty because one answer lacks it', () =>
    inScenario({ state: stateWithStores(1, { comment: 'old' }) }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `${STORES_PATH}/${STORE}` },
        action: { kind: 'status', status: 200, body: { name: 'store-1', app_count: 0 } },
      });
      const run = await scenario.start('replaceKvStore', { storeId: STORE, comment: '' });

      expect(await run.result()).toMatchObject({ before: { comment: 'old' } });
      expect(stores(scenario)).toMatchObject([{ comment: '' }]);
    }));

  it('refuses a BYOD store, in a plan too, unless it is as asked', () =>
    inScenario({ state: stateWithStores(1, { byod: BYOD }) }, async (scenario) => {
      const change = { storeId: STORE, name: 'other' };
      const message = 'KV store 1 has its data in a database of yours (BYOD)';

      expect(await planOf(scenario, 'replaceKvStore', { input: change })).toMatchObject({
        findings: [{ path: 'storeId', message }],
      });
      const run = await scenario.start('replaceKvStore', change);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      const none = await scenario.start('replaceKvStore', { storeId: STORE, name: 'store-1' });
      expect(await none.result()).toMatchObject({ ledger: [{ note: 'it was as asked' }] });
      expect(scenario.mutations()).toEqual([]);
    }));
});

describe('replaceKvStore of a BYOD store whose answers lack its URL', () => {
  it.each([
    ['twice', 2],
    ['always', Infinity],
  ])('sends nothing: %s', (_, times) =>
    inScenario({ state: stateWithStores(1, { byod: BYOD }) }, async (scenario) => {
      const body = { name: 'store-1', comment: '', app_count: 0, size: 0 };
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `${STORES_PATH}/${STORE}`, times },
        action: { kind: 'status', status: 200, body },
      });
      const run = await scenario.start('replaceKvStore', { storeId: STORE, name: 'other' });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('(BYOD)'),
      });
      expect(scenario.mutations()).toEqual([]);
    }),
  );
});

describe('deleteKvStore', () => {
  it('deletes the store with its data, and names what is lost', () =>
    inScenario({ state: stateWithStores(), record: 'kv-store-deleted' }, async (scenario) => {
      const input = { storeId: STORE };
      const data = [{ op: 'add', key: 'a', datatype: 'kv', payload: { value: '12345' } }];
      await callByHand(scenario.api, `PUT ${STORES_PATH}/${STORE}/data`, data);

      expect(await planOf(scenario, 'deleteKvStore', { input })).toMatchObject({
        ready: true,
        irreversible: ['The KV store "store-1" and its data are lost: 5 bytes.'],
      });
      const run = await scenario.start('deleteKvStore', input);

      expect(await run.result()).toMatchObject({
        storeId: STORE,
        before: { name: 'store-1', comment: '', size: 5 },
        taskIds: [],
      });
      expect(stores(scenario)).toEqual([]);
      const again = await scenario.start('deleteKvStore', input);
      expect(await again.result()).toMatchObject({ before: null });
    }));

  it('refuses a store that an app takes up while the API turns the deletion away', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { simulator } = scenario;
      const match = { method: 'DELETE', path: `${STORES_PATH}/${STORE}`, times: Infinity };
      simulator.faults.add({ match, action: { kind: 'status', status: 409 } });
      const run = await scenario.start('deleteKvStore', { storeId: STORE });
      await until('it was turned away', () => scenario.mutations().length > 0);

      simulator.restore(stateWithStores(1, { appIds: [7] }));

      expect(await failureOfRun(run)).toMatchObject({
        type: 'InvalidRequest',
        message: expect.stringContaining('KV store 1 is used by 1 app'),
      });
      expect(stores(scenario)).toHaveLength(1);
    }));
});
