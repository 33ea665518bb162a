import { describe, expect, it } from '@jest/globals';

import type { KvItem } from '../../../../src/contract/index.js';
import {
  add,
  DATA_PATH,
  kvInput,
  manyItems,
  STORE,
  stateWithStores,
} from '../../../support/worlds/kv-stores.js';
import { planOf } from '../../../support/runs/plan-of.js';
import { plannedWrites } from '../../planned-writes.js';
import { inScenario, type Scenario } from '../../../simulation/scenario.js';
const planPush = (scenario: Scenario, ...input: Parameters<typeof kvInput>) =>
  planOf(scenario, 'modifyKvStore', { input: kvInput(...input) });

const SET: KvItem = {
  op: 'add',
  key: 'key-2',
  datatype: 'sorted_set',
  payload: [{ value: 'a', score: 1 }],
};

describe('the plan of modifyKvStore', () => {
  it('lists the calls that change something exactly as the run sends them', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      await (
        await scenario.start('modifyKvStore', kvInput({ items: manyItems(5), chunkItems: 2 }))
      ).result();
      const sent = scenario.mutations();
      const before = scenario.simulator.snapshot();

      const plan = await planPush(scenario, { items: manyItems(5), chunkItems: 2 });

      expect(plan).toMatchObject({ operation: 'modifyKvStore', ready: true, findings: [] });
      expect(plannedWrites(plan, /x/, '')).toEqual(sent);
      expect(sent).toHaveLength(3);
      expect(plan.irreversible).toEqual([expect.stringContaining('overwritten')]);
      expect(scenario.simulator.snapshot()).toEqual(before);
    }));

  it('reads a manifest, and says what its items do', () => {
    const lines = [
      ...manyItems(3),
      { op: 'add', key: 'seen', datatype: 'bloom_filter', payload: [{ value: 'secret-canary' }] },
      { op: 'del_key', key: 'old', datatype: 'kv' },
    ];
    return inScenario(
      { state: stateWithStores(), manifests: { 'items.jsonl': lines } },
      async (scenario) => {
        const plan = await planOf(scenario, 'modifyKvStore', {
          input: {
            storeId: STORE,
            manifest: { url: 'file:items.jsonl' },
            allowIrreversible: true,
            chunkItems: 2,
          },
        });

        expect(plan.ready).toBe(true);
        expect(plannedWrites(plan, /x/, '')).toEqual(
          Array.from({ length: 3 }, () => `PUT ${DATA_PATH}`),
        );
        expect(plan.irreversible).toEqual([
          expect.stringContaining('overwritten'),
          expect.stringContaining('1 item deletes'),
          expect.stringContaining('1 value goes into bloom filters'),
        ]);
        expect(plan.findings).toMatchObject([{ severity: 'warning', path: 'verify' }]);
        expect(JSON.stringify(plan)).not.toContain('canary');
        expect(scenario.mutations()).toEqual([]);
      },
    );
  });

  it('finds keys of another datatype in the store, both without force and with it', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      await (await scenario.start('modifyKvStore', kvInput({ items: [SET] }))).result();
      const before = scenario.mutations();

      const plain = await planPush(scenario);
      const forced = await planPush(scenario, { force: true, allowIrreversible: true });

      expect(plain.ready).toBe(false);
      expect(plain.findings).toMatchObject([{ severity: 'fault', path: 'items[1].datatype' }]);
      expect(forced.ready).toBe(true);
      expect(forced.irreversible).toContainEqual(expect.stringContaining('"key-2"'));
      expect(scenario.mutations()).toEqual(before);
    }));

  it('warns that it has not read all keys of a long list', () =>
    inScenario({ state: stateWithStores() }, async (scenario) => {
      const { ready, findings } = await planPush(scenario, { items: manyItems(150) });

      expect(ready).toBe(true);
      expect(findings).toMatchObject([
        { severity: 'warning', path: 'items', message: expect.stringContaining('100') },
      ]);
    }));

  it.each([
    ['an unknown store', { storeId: 99 }, ['storeId', /no KV store 99/]],
    [
      'a key that changes its datatype',
      { items: [add('key-2', 'x'), SET] },
      ['items[1].datatype', /has the datatype kv by then/],
    ],
    [
      'a missing manifest',
      { items: undefined, manifest: { url: 'file:none.jsonl' } },
      ['manifest.url', /none.jsonl/],
    ],
    [
      'a manifest with a bad line',
      { items: undefined, manifest: { url: 'file:bad.jsonl' } },
      ['line 2, op', /add.*del_key/],
    ],
  ] as const)('is not ready with %s', (_, change, [path, says]) => {
    const bad = [add('a', '1'), { ...add('b', '2'), op: 'replace' }];
    return inScenario(
      { state: stateWithStores(), manifests: { 'bad.jsonl': bad } },
      async (scenario) => {
        const { items, ...input } = { ...kvInput(), ...change };
        const plan = await planOf(scenario, 'modifyKvStore', {
          input: { ...input, ...(items === undefined ? {} : { items: [...items] }) },
        });

        expect(plan.ready).toBe(false);
        expect(plan.findings).toEqual([
          {
            severity: 'fault',
            path,
            message: expect.stringMatching(says),
            advice: expect.any(String),
          },
        ]);
        expect(scenario.mutations()).toEqual([]);
      },
    );
  });
});
