import { describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import {
  add,
  contentOf,
  DATA_PATH,
  kvInput,
  manyItems,
  stateWithStores,
} from '../../support/worlds/kv-stores.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const state = stateWithStores(2);
const PUT = { method: 'PUT', path: DATA_PATH };
const THREE_CHUNKS = kvInput({ items: manyItems(6), chunkItems: 2 });

const SIX = {
  'key-1': 'value-1',
  'key-2': 'value-2',
  'key-3': 'value-3',
  'key-4': 'value-4',
  'key-5': 'value-5',
  'key-6': 'value-6',
};

const putTimes = ({ simulator }: Scenario): number[] =>
  simulator.requests.flatMap(({ method, at }) => (method === 'PUT' ? [at] : []));

/** Writes as another client, which takes no turns. */
async function writeForeign({ simulator, api }: Scenario, items: unknown): Promise<void> {
  const headers = { authorization: `apikey ${api.apiKey}` };
  await simulator.fetch(`http://x${DATA_PATH}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(items),
  });
}

async function failureOf(run: { result: () => Promise<unknown> }): Promise<ApplicationFailure> {
  const error: unknown = await run.result().catch((thrown: unknown) => thrown);
  if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) {
    return error.cause;
  }
  throw new Error('the run should have failed', { cause: error });
}

describe('modifyKvStore', () => {
  it.each([
    ['request is lost', { kind: 'drop-request' } as const],
    ['answer is lost', { kind: 'drop-response' } as const],
    [
      'call is carried out and answered with 502',
      { kind: 'status', status: 502, afterProcessing: true } as const,
    ],
    [
      'call is answered with 503',
      { kind: 'status', status: 503, body: { error: 'later' } } as const,
    ],
    ['call gets no answer', { kind: 'hang', afterProcessing: true } as const],
  ])('sends a chunk again when its %s', (_, action) =>
    inScenario({ state, timeoutMs: 2_000 }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...PUT, nth: 2 }, action });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);

      const { chunks, foreignWrites } = await run.result();

      expect(contentOf(scenario.simulator)).toEqual(SIX);
      expect(chunks.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
      expect(foreignWrites).toEqual([]);
    }),
  );

  it('does not count an attempt that the API answers with 429', () =>
    inScenario({ state }, async (scenario) => {
      const action = { kind: 'status', status: 429, retryAfter: '0' } as const;
      scenario.simulator.faults.add({ match: { ...PUT, nth: 2 }, action });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);

      const { chunks } = await run.result();

      expect(chunks.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    }));

  it('waits until a lost chunk cannot arrive any more before it writes the same key again', () =>
    inScenario({ state, policy: { reconcileGraceMs: 1_500 } }, async (scenario) => {
      const items = [add('k', 'old'), add('k', 'new')];
      scenario.simulator.faults.add({ match: PUT, action: { kind: 'drop-request' } });
      const run = await scenario.start('modifyKvStore', kvInput({ items, verify: 'all' }));

      await run.result();

      const [first = 0, , last = 0] = putTimes(scenario);
      expect(last - first).toBeGreaterThanOrEqual(1_500);
      expect(contentOf(scenario.simulator)).toEqual({ k: 'new' });
    }));

  it('keeps its turn while a chunk may arrive late, so it does not overwrite the next writer', () =>
    inScenario({ state, timeoutMs: 400, policy: { reconcileGraceMs: 2_500 } }, async (scenario) => {
      // The worker gives the call up, and the API carries it out much later.
      const late = { kind: 'delay', ms: 2_000 } as const;
      scenario.simulator.faults.add({ match: PUT, action: late });
      const first = await scenario.start('modifyKvStore', kvInput({ items: [add('k', 'first')] }));
      await until('the first has its turn', () => scenario.simulator.inFlight().length === 1);
      const second = await scenario.start(
        'modifyKvStore',
        kvInput({ items: [add('k', 'second')] }),
      );

      const [one, two] = await Promise.all([first.result(), second.result()]);

      await until('the late call has been carried out', () => putTimes(scenario).length === 3);
      expect([one.chunks[0]?.attempts, two.chunks[0]?.attempts]).toEqual([2, 1]);
      expect(contentOf(scenario.simulator)).toEqual({ k: 'second' });
      expect(two.foreignWrites).toEqual([]);
    }));

  it('has its result at once after a lost answer, and the next writer still waits', () =>
    inScenario({ state, policy: { reconcileGraceMs: 8_000 } }, async (scenario) => {
      scenario.simulator.faults.add({ match: PUT, action: { kind: 'drop-response' } });
      const begun = Date.now();
      const first = await scenario.start('modifyKvStore', kvInput({ items: [add('k', 'first')] }));
      const { chunks } = await first.result();
      const lastedMs = Date.now() - begun;
      const second = await scenario.start(
        'modifyKvStore',
        kvInput({ items: [add('k', 'second')] }),
      );
      await second.result();

      const [lost = 0, , next = 0] = putTimes(scenario);
      expect(chunks[0]?.attempts).toBe(2);
      expect(lastedMs).toBeLessThan(8_000);
      expect(next - lost).toBeGreaterThanOrEqual(8_000);
    }));

  it('fails when the API refuses a chunk, and says which chunks are written', () =>
    inScenario({ state, record: 'kv-refused' }, async (scenario) => {
      const set = { op: 'add', key: 'key-3', datatype: 'sorted_set', payload: [{ value: 'm' }] };
      await writeForeign(scenario, [set]);
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);

      const { type, message, details } = await failureOf(run);

      expect(type).toBe('InvalidRequest');
      expect(message).toContain('Of this run, 1 of 3 chunks (2 of 6 items) are written');
      expect(details?.[0]).toMatchObject({
        step: 'write items',
        written: expect.stringContaining('chunk 2 may be'),
      });
      expect(Object.keys(contentOf(scenario.simulator)).sort()).toEqual([
        'key-1',
        'key-2',
        'key-3',
      ]);
    }));

  it('waits for a valid API key, and continues with the same chunk', () =>
    inScenario({ state }, async (scenario) => {
      const action = { kind: 'status', status: 401, body: { error: 'bad token' } } as const;
      scenario.simulator.faults.add({ match: { ...PUT, nth: 2 }, action });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await untilBlocked(run, 'Unauthorized');

      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await expect(run.result()).resolves.toMatchObject({ items: 6 });
      expect(putTimes(scenario)).toHaveLength(4);
    }));
});

describe('modifyKvStore beside another writer', () => {
  it('reports foreign writes between its chunks', () =>
    inScenario({ state }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: { ...PUT, nth: 2 },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('the second chunk is held', () => scenario.simulator.inFlight().length === 1);

      await writeForeign(scenario, [add('other', 'x')]);
      gate.open();

      expect((await run.result()).foreignWrites).toEqual([{ chunk: 2, from: 101, to: 103 }]);
    }));

  it('fails when the other writer overwrites its items, and says which', () =>
    inScenario({ state }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({
        match: { ...PUT, nth: 2 },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('modifyKvStore', THREE_CHUNKS);
      await until('the second chunk is held', () => scenario.simulator.inFlight().length === 1);

      await writeForeign(scenario, [add('key-1', 'theirs')]);
      gate.open();

      const { type, message, details } = await failureOf(run);
      expect(type).toBe('ItemsFailed');
      expect(message).toContain('"key-1" holds another value');
      expect(details?.[0]).toMatchObject({
        faults: [{ path: 'key-1', message: 'holds another value' }],
      });
    }));
});
