import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import type { KvItem } from '../../../src/contract/index.js';
import {
  add,
  contentOf,
  DATA_PATH,
  manyItems,
  stateWithStores,
  STORE,
} from '../../support/worlds/kv-stores.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
const state = stateWithStores(2);
const contentFrom = (count: number) =>
  Object.fromEntries(manyItems(count).map(({ key }, index) => [key, `value-${index + 1}`]));

const puts = ({ simulator }: Scenario): number =>
  simulator.requests.filter(({ method, path }) => method === 'PUT' && path === DATA_PATH).length;

describe('modifyKvStore', () => {
  it('writes all items chunk by chunk and reads some of them back', () =>
    inScenario({ state, record: 'kv-written' }, async (scenario) => {
      const run = await scenario.start('modifyKvStore', {
        storeId: STORE,
        items: manyItems(25),
        chunkItems: 10,
      });

      const result = await run.result();

      expect(contentOf(scenario.simulator)).toEqual(contentFrom(25));
      expect(result).toEqual({
        storeId: STORE,
        items: 25,
        writeCount: 25,
        delCount: 0,
        writeSize: result.storeSize,
        revision: 103,
        storeSize: expect.any(Number),
        chunks: [
          {
            items: 10,
            writeCount: 10,
            delCount: 0,
            writeSize: expect.any(Number),
            revision: 101,
            attempts: 1,
          },
          {
            items: 10,
            writeCount: 10,
            delCount: 0,
            writeSize: expect.any(Number),
            revision: 102,
            attempts: 1,
          },
          {
            items: 5,
            writeCount: 5,
            delCount: 0,
            writeSize: expect.any(Number),
            revision: 103,
            attempts: 1,
          },
        ],
        foreignWrites: [],
        verified: { mode: 'sample', keys: 9 },
        unverified: [],
      });
      expect(puts(scenario)).toBe(3);
      expect((await run.query(statusQuery)).steps.map(({ name, state: at }) => [name, at])).toEqual(
        ['check items', 'take turn', 'write items', 'verify items'].map((name) => [
          name,
          'verified',
        ]),
      );
    }));

  it('keeps the order of several items for one key', () =>
    inScenario({ state }, async (scenario) => {
      const zed = (op: 'add' | 'del_entries', value: string, score?: number): KvItem => ({
        op,
        key: 'z',
        datatype: 'sorted_set',
        payload: [{ value, ...(score !== undefined && { score }) }],
      });
      const run = await scenario.start('modifyKvStore', {
        storeId: STORE,
        verify: 'all',
        items: [
          add('k', 'first'),
          zed('add', 'a', 1),
          zed('add', 'b', 2),
          add('k', 'second'),
          zed('add', 'a', 3),
          zed('del_entries', 'b'),
          add('gone', 'x'),
          { op: 'del_key', key: 'gone', datatype: 'kv' },
        ],
      });

      const { chunks, verified } = await run.result();

      expect(contentOf(scenario.simulator)).toEqual({ k: 'second', z: [['a', 3]] });
      expect(chunks.map(({ items }) => items)).toEqual([3, 2, 2, 1]);
      expect(verified).toEqual({ mode: 'all', keys: 3 });
    }));

  it('says which keys it cannot verify, and why', () =>
    inScenario({ state, secretsPolicy: 'allow' }, async (scenario) => {
      const run = await scenario.start('modifyKvStore', {
        storeId: STORE,
        verify: 'all',
        allowIrreversible: true,
        items: [
          { op: 'add', key: 'm', datatype: 'kv', payload: { value: 's', encoding: 'masked' } },
          { op: 'add', key: 'b', datatype: 'bloom_filter', payload: [{ value: 'x' }] },
          add('long', 'x'.repeat(2_000)),
        ],
      });

      const { verified, unverified } = await run.result();

      expect(verified.keys).toBe(1);
      expect(unverified).toEqual([
        { reason: 'the API never returns masked values', keys: 1 },
        { reason: 'the API cannot list a bloom filter', keys: 1 },
      ]);
    }));

  it('reads the items of a manifest in ranges, and keeps them out of the history', () => {
    return inScenario(
      { state, manifests: { 'push.jsonl': manyItems(2_500) } },
      async (scenario) => {
        const run = await scenario.start('modifyKvStore', {
          storeId: STORE,
          manifest: { url: 'file:push.jsonl' },
        });

        const { items, chunks, verified } = await run.result();

        expect(contentOf(scenario.simulator)).toEqual(contentFrom(2_500));
        expect([items, chunks.map((chunk) => chunk.items)]).toEqual([2_500, [1_000, 1_000, 500]]);
        expect(verified.keys).toBe(9);
        expect(JSON.stringify(await run.fetchHistory())).not.toContain('value-7');
      },
    );
  });

  it('refuses a manifest that has a key twice, because the order of lines would matter', () => {
    return inScenario(
      { state, manifests: { 'push.jsonl': [add('k', '1'), add('k', '2')] } },
      async (scenario) => {
        const run = await scenario.start('modifyKvStore', {
          storeId: STORE,
          manifest: { url: 'file:push.jsonl' },
        });

        await expect(run.result()).rejects.toMatchObject({
          cause: { type: 'InvalidInput', message: expect.stringContaining('line 2, key: ') },
        });
        expect(scenario.mutations()).toEqual([]);
      },
    );
  });
});
