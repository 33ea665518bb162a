import { describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import {
  add,
  contentOf,
  DATA_PATH,
  kvInput,
  manyItems,
  stateWithStores,
  STORE,
} from '../../support/worlds/kv-stores.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const state = stateWithStores(2);
const PUT = { method: 'PUT', path: DATA_PATH };
const THREE_CHUNKS = kvInput({ items: manyItems(6), chunkItems: 2 });
const ALL = { 'key-1': 'value-1', 'key-2': 'value-2', 'key-3': 'value-3' };
const SIX = { ...ALL, 'key-4': 'value-4', 'key-5': 'value-5', 'key-6': 'value-6' };

const putTimes = ({ simulator }: Scenario): number[] =>
  simulator.requests.flatMap(({ method, at }) => (method === 'PUT' ? [at] : []));

describe('an interrupted modifyKvStore', () => {
  it('undoes nothing when it is cancelled between chunks, and a new run writes everything', () =>
    inScenario({ state, record: 'kv-cancelled' }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: { ...PUT, nth: 2 },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('the second chunk is held', () => scenario.simulator.inFlight().length === 1);
      await run.cancel();
      gate.open();
      await expect(run.result()).rejects.toThrow(WorkflowFailedError);

      const { phase, steps } = await run.query(statusQuery);
      expect(phase).toBe('cancelled');
      expect(steps[2]).toMatchObject({
        state: 'failed',
        note: expect.stringContaining('2 of 3 chunks (4 of 6 items) are written'),
      });
      expect(putTimes(scenario)).toHaveLength(2);

      const again = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await again.result();
      expect(contentOf(scenario.simulator)).toEqual(SIX);
    }));

  it('is terminated during a call, and the next run waits until the call cannot arrive any more', () =>
    inScenario({ state, policy: { reconcileGraceMs: 500 } }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({ match: PUT, action: { kind: 'delay', until: gate.opened } });
      const first = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('its first chunk is held', () => scenario.simulator.inFlight().length === 1);
      await first.terminate();

      const second = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('the second waits', async () => {
        const { waiting } = await second.query(statusQuery);
        return waiting?.for.includes('late calls of a terminated run') === true;
      });
      gate.open();

      expect(putTimes(scenario).length).toBeLessThanOrEqual(1);
      await second.cancel();
      await expect(second.result()).rejects.toThrow(WorkflowFailedError);
    }));

  it('says that it does not know what the run before it has written, when it ends before it writes', () =>
    inScenario({ state, policy: { reconcileGraceMs: 500 } }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({ match: PUT, action: { kind: 'delay', until: gate.opened } });
      const first = await scenario.start('modifyKvStore', THREE_CHUNKS, 'push-1');
      await until('its first chunk is held', () => scenario.simulator.inFlight().length === 1);
      await first.terminate();

      const second = await scenario.start('modifyKvStore', THREE_CHUNKS, 'push-1');
      await second.cancel();
      await expect(second.result()).rejects.toThrow(WorkflowFailedError);
      gate.open();

      expect((await second.query(statusQuery)).steps[2]).toMatchObject({
        name: 'write items',
        state: 'outcome-unknown',
        note: 'the run ended before it was known what an earlier run of this request has sent',
      });
      expect(putTimes(scenario)).toHaveLength(1);
    }));

  it('speaks only of itself when it fails, and not of what the store has of an earlier run', () =>
    inScenario({ state }, async (scenario) => {
      const gate = createGate();
      const { simulator, start } = scenario;
      simulator.faults.add({
        match: { ...PUT, nth: 2 },
        action: { kind: 'delay', until: gate.opened },
      });
      const first = await start('modifyKvStore', THREE_CHUNKS, 'push-2');
      await until('the second chunk is held', () => simulator.inFlight().length === 1);
      await first.cancel();
      gate.open();
      await expect(first.result()).rejects.toThrow(WorkflowFailedError);
      simulator.faults.add({ match: PUT, action: { kind: 'status', status: 400 } });

      const { message } = await failureOfRun(await start('modifyKvStore', THREE_CHUNKS, 'push-2'));

      expect(Object.keys(contentOf(simulator))).toHaveLength(4);
      expect(message).toContain('Of this run, 0 of 3 chunks (0 of 6 items) are written');
    }));

  it('says nothing of what it has not read back, when it is cancelled meanwhile', () =>
    inScenario({ state }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `${DATA_PATH}/key-1` },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('it reads back', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[3]?.state === 'waiting';
      });
      await run.cancel();
      await expect(run.result()).rejects.toThrow(WorkflowFailedError);
      gate.open();

      expect((await run.query(statusQuery)).steps[3]).toMatchObject({
        state: 'failed',
        note: 'all items are written, but not all of them were read back',
      });
    }));

  it('sends no chunk while it is paused', () =>
    inScenario({ state }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({ match: PUT, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('the first chunk is held', () => scenario.simulator.inFlight().length === 1);
      await run.executeUpdate(pauseUpdate);
      gate.open();
      await until('the first chunk is written', () => putTimes(scenario).length === 1);

      expect((await run.query(statusQuery)).phase).toBe('paused');
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await expect(run.result()).resolves.toMatchObject({ items: 6 });
    }));
});

describe('several writers of one store', () => {
  it('take turns, and each gets its own result', () =>
    inScenario({ state }, async (scenario) => {
      const inputs = ['a', 'b', 'c'].map((text) =>
        kvInput({
          items: [1, 2, 3].map((n) => add(`key-${n}`, text)),
          chunkItems: 1,
          verify: 'all',
        }),
      );

      const runs = await Promise.all(inputs.map((input) => scenario.start('modifyKvStore', input)));
      const results = await Promise.all(runs.map((run) => run.result()));

      for (const { foreignWrites, verified } of results) {
        expect([foreignWrites, verified.keys]).toEqual([[], 3]);
      }
      expect(new Set(Object.values(contentOf(scenario.simulator))).size).toBe(1);
    }));
});

describe('an unreadable manifest', () => {
  it('blocks the run until a person gives another one', () => {
    return inScenario({ state, manifests: { 'good.jsonl': manyItems(3) } }, async (scenario) => {
      const { account } = scenario;
      const input = { storeId: STORE, manifest: { url: 'file:bad.jsonl' } };
      const run = await scenario.start('modifyKvStore', input);
      await untilBlocked(run, 'ManifestUnreadable');

      const corrected = { ...input, account, manifest: { url: 'file:good.jsonl' } };
      await run.executeUpdate(resumeUpdate, { args: [{ input: corrected }] });

      await expect(run.result()).resolves.toMatchObject({ items: 3 });
      expect(contentOf(scenario.simulator)).toEqual(ALL);
    });
  });
});
