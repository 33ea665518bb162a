import { describe, expect, it } from '@jest/globals';

import { inApiWorld, inManyWorlds, STORES, type ApiWorld } from './support/api-world.js';

const body = { name: 'one' };

/** What a caller hears of one create, and what the API has then. */
async function makeStore(world: ApiWorld) {
  const heard = await world.call(`POST ${STORES}`, { body });
  await world.pass(120_000);
  const made = world.simulator.snapshot().kvStores.length;
  return { ...heard, made, story: world.story(), inFlight: world.network.inFlight() };
}

describe('a lost request', () => {
  it('never reaches the API: a broken connection before or after it is there, or silence', async () => {
    const seen = await inManyWorlds({ odds: { 'lost request': 1 } }, makeStore);

    expect(new Set(seen.map(({ broken }) => broken))).toEqual(
      new Set(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_HEADERS_TIMEOUT']),
    );
    expect(seen.filter(({ made, inFlight }) => made > 0 || inFlight > 0)).toEqual([]);
    expect(seen[0]?.story).toContain('LOST BEFORE IT ARRIVED');
  });
});

describe('a lost answer', () => {
  it('follows a call that the API has carried out', async () => {
    const seen = await inManyWorlds({ odds: { 'lost answer': 1 } }, makeStore);

    expect(seen.filter(({ made }) => made !== 1)).toEqual([]);
    expect(new Set(seen.map(({ broken, status }) => broken ?? status))).toEqual(
      new Set(['ECONNRESET', 'UND_ERR_HEADERS_TIMEOUT', 502, 504, 200]),
    );
    // A cut one has the right status, and half of a body.
    const cut = seen.filter(({ status }) => status === 200);
    expect(cut.filter(({ json }) => json !== undefined)).toEqual([]);
    expect(seen[0]?.story).toContain('ANSWER LOST');
  });
});

describe('a late call', () => {
  it('arrives up to a minute later, when nobody waits any more', async () => {
    const seen = await inManyWorlds({ odds: { 'late call': 1 } }, makeStore);

    expect(seen.filter(({ made, broken }) => made !== 1 || broken === undefined)).toEqual([]);
    expect(seen[0]?.story).toMatch(/HELD ON ITS WAY FOR [\d.]+ s\n.*200, ARRIVED LATE/);
  });

  it('is on its way until it arrives', async () => {
    const ways = await inManyWorlds({ odds: { 'late call': 1 } }, async (world) => {
      const signal = AbortSignal.timeout(500);
      await world.call(`POST ${STORES}`, { body, signal });
      const before = world.network.inFlight();
      await world.pass(60_200);
      return { before, after: world.network.inFlight(), at: world.calls[0]?.at };
    });

    expect(ways.filter(({ before, after }) => before !== 1 || after !== 0)).toEqual([]);
    expect(new Set(ways.map(({ at }) => at)).size).toBeGreaterThan(50);
  });

  it('is no read', async () => {
    const { status, story } = await inApiWorld({ odds: { 'late call': 1 } }, async (world) => {
      const { status } = await world.call(`GET ${STORES}`);
      return { status, story: world.story() };
    });

    expect(status).toBe(200);
    expect(story).not.toContain('HELD');
  });
});

describe('a refused call', () => {
  it('is answered with 503 or 429, with or without Retry-After, and not carried out', async () => {
    const seen = await inManyWorlds({ odds: { 'refused call': 1 }, most: 1 }, makeStore);

    expect(seen.filter(({ made }) => made > 0)).toEqual([]);
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([503, 429]));
    const waits = seen.map(({ headers }) => headers.get('retry-after') !== null);
    expect(new Set(waits)).toEqual(new Set([true, false]));
  });

  it('may say until when to wait, by the clock of the API', async () => {
    const odds = { 'refused call': 1, 'date to wait for': 1, 'clock apart': 1 };
    const seen = await inManyWorlds({ odds }, makeStore);
    const waits = seen.flatMap(({ headers, story }) => {
      const [until, now] = ['retry-after', 'date'].map((name) => headers.get(name));
      if (typeof until !== 'string') return [];
      expect(story).toContain('REFUSED UNTIL A DATE');
      return [Date.parse(until) - Date.parse(now ?? '')];
    });

    expect(waits.length).toBeGreaterThan(5);
    expect(waits.filter((ms) => !(ms >= 1_000 && ms <= 20_000))).toEqual([]);
  });

  it('may be the first of a burst, in its area only', async () => {
    const bursts = await inManyWorlds({ odds: { 'refused call': 1 }, most: 1 }, async (world) => {
      const calls = [STORES, STORES, '/storage/v4/ssh_keys'];
      const heard = await world.until(Promise.all(calls.map((path) => world.begin(`GET ${path}`))));
      await world.pass(10_000);
      const later = await world.call(`GET ${STORES}`);
      return [...heard, later].map(({ status }) => status === 200);
    });

    expect(new Set(bursts.map(String))).toEqual(
      new Set(['false,true,true,true', 'false,false,true,true']),
    );
  });
});

describe('a slow answer', () => {
  it('takes 3 to 16 s', async () => {
    const seen = await inManyWorlds({ odds: { 'slow answer': 1 } }, makeStore);
    const times = seen.map(({ tookMs }) => tookMs);

    expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.min(...times)).toBeGreaterThan(3_000);
    expect(Math.max(...times)).toBeLessThan(16_200);
    expect(Math.max(...times)).toBeGreaterThan(15_000);
  });
});
