import { describe, expect, it } from '@jest/globals';

import { createProcess } from '../time/processes.js';
import { givenStores, inApiWorld, STORES } from './support/api-world.js';

const CALM = { odds: {} };

describe('the network to the API', () => {
  it('carries a call there and back in virtual time, and tells it', async () => {
    const { heard, world } = await inApiWorld(CALM, async (world) => {
      const heard = await world.call(`POST ${STORES}`, { body: { name: 'one' } });
      return { heard, world };
    });

    expect(heard).toMatchObject({ status: 200, json: { id: 1, name: 'one' } });
    expect(heard.tookMs).toBeGreaterThanOrEqual(10);
    expect(heard.tookMs).toBeLessThanOrEqual(160);
    expect(world.story()).toMatch(/run-1 +POST \/fastedge\/v1\/kv 200$/);
    expect(world.network.inFlight()).toBe(0);
  });

  it('gives a record of each call that the API has dealt with', async () => {
    const calls = await inApiWorld(CALM, async (world) => {
      await world.call(`POST ${STORES}`, { body: { name: 'one' }, workflowId: 'make é' });
      await world.call('GET /fastedge/v1/kv/9?x=1', { workflowId: 'other' });
      return world.calls;
    });

    expect(calls).toMatchObject([
      { method: 'POST', path: STORES, status: 200, body: { name: 'one' }, answer: { id: 1 } },
      { method: 'GET', path: '/fastedge/v1/kv/9?x=1', status: 404, workflowId: 'other' },
    ]);
    expect(calls[0]?.actor).toBeUndefined();
  });

  it('tells the same story for the same seed, and another one for another seed', async () => {
    const odds = { 'lost answer': 0.2, 'refused call': 0.2, 'empty list': 0.2, 'late call': 0.2 };
    const tell = (seed: number) =>
      inApiWorld({ seed, odds }, async (world) => {
        for (let count = 0; count < 10; count += 1) {
          await world.call(`POST ${STORES}`, { body: { name: `store ${count}` } });
          await world.call(`GET ${STORES}`);
        }
        return world.story();
      });

    const [first, again, other] = [await tell(7), await tell(7), await tell(8)];

    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('decides what goes wrong with one run apart from what others do', async () => {
    const odds = { 'lost request': 0.3, 'lost answer': 0.3 };
    const struckOf = (withOthers: boolean) =>
      inApiWorld({ odds }, async (world) => {
        for (let count = 0; count < 10; count += 1) {
          if (withOthers) await world.call(`GET ${STORES}`, { workflowId: 'another' });
          await world.call(`GET ${STORES}`, { workflowId: 'mine' });
        }
        return world.chaos.struck.filter(({ occasion }) => occasion.endsWith('of mine'));
      });

    const alone = await struckOf(false);

    expect(alone.length).toBeGreaterThan(2);
    expect(await struckOf(true)).toEqual(alone);
  });

  it('keeps the answer for a frozen process until it wakes', async () => {
    const tookMs = await inApiWorld(CALM, async (world) => {
      const process = createProcess('worker-1', world.clock);
      const heard = process.run(() => world.begin(`GET ${STORES}`));
      process.freeze();
      world.clock.after(5_000, () => {
        process.wake();
      });
      const { tookMs } = await world.until(heard);
      return tookMs;
    });

    expect(tookMs).toBe(5_000);
  });

  it('carries out what a killed process has sent, and tells it nothing', async () => {
    const { heard, stores, inFlight } = await inApiWorld(CALM, async (world) => {
      const process = createProcess('worker-1', world.clock);
      let heard = false;
      void process
        .run(() => world.begin(`POST ${STORES}`, { body: { name: 'one' } }))
        .then(() => (heard = true));
      const inFlight = world.network.inFlight();
      process.kill();
      await world.pass(10_000);
      return { heard, stores: world.simulator.snapshot().kvStores, inFlight };
    });

    expect(inFlight).toBe(1);
    expect(heard).toBe(false);
    expect(stores).toMatchObject([{ name: 'one' }]);
  });

  it('lets a caller leave at once, but not its call', async () => {
    const { heard, stores } = await inApiWorld(CALM, async (world) => {
      const leaving = new AbortController();
      const { signal } = leaving;
      const heard = world.begin(`POST ${STORES}`, { body: { name: 'one' }, signal });
      leaving.abort(new RangeError('enough'));
      const left = await world.until(heard);
      await world.pass(1_000);
      return { heard: left, stores: world.simulator.snapshot().kvStores };
    });

    expect(heard).toMatchObject({ broken: 'RangeError', tookMs: 0 });
    expect(stores).toHaveLength(1);
  });

  it('sends nothing for a caller that has left before', async () => {
    const { heard, calls } = await inApiWorld(CALM, async (world) => {
      const signal = AbortSignal.abort(new RangeError('enough'));
      const heard = await world.call(`GET ${STORES}`, { signal });
      await world.pass(1_000);
      return { heard, calls: world.calls };
    });

    expect(heard.broken).toBe('RangeError');
    expect(calls).toEqual([]);
  });

  it('lets nothing through from a process that is cut off', async () => {
    const seen = await inApiWorld({ ...CALM, isCut: () => true }, async (world) => {
      const { broken } = await world.call(`POST ${STORES}`, { body: { name: 'one' } });
      const { calls, network } = world;
      return { broken, calls, story: world.story(), inFlight: network.inFlight() };
    });

    expect(seen).toMatchObject({ broken: 'UND_ERR_HEADERS_TIMEOUT', calls: [], inFlight: 0 });
    expect(seen.story).toContain('CUT OFF');
  });

  it('loses the answer when the process is cut off meanwhile', async () => {
    let isCut = false;
    const seen = await inApiWorld({ ...CALM, isCut: () => isCut }, async (world) => {
      const heard = world.begin(`POST ${STORES}`, { body: { name: 'one' } });
      while (world.calls.length === 0) await world.pass(1);
      isCut = true;
      const { broken } = await world.until(heard);
      return { broken, story: world.story(), stores: world.simulator.snapshot().kvStores };
    });

    expect(seen).toMatchObject({ broken: 'UND_ERR_HEADERS_TIMEOUT', stores: [{ name: 'one' }] });
    expect(seen.story).toContain('ANSWER CUT OFF');
  });

  it('changes nothing of an answer where nothing goes wrong', async () => {
    const rows = await inApiWorld(CALM, async (world) => {
      await givenStores(world, ['a', 'b']);
      const { json } = await world.call(`GET ${STORES}`);
      return json;
    });

    expect(rows).toMatchObject({ count: 2, stores: [{ name: 'a' }, { name: 'b' }] });
  });
});
