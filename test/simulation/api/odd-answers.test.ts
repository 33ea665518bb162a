import { describe, expect, it } from '@jest/globals';

import type { StrikeKind } from '../world/chaos.js';
import { isRow } from './api-answer.js';
import {
  given,
  givenStores,
  inApiWorld,
  inManyWorlds,
  KEYS,
  listOf,
  STORES,
  VOLUMES,
  volumeBody,
  type ApiWorld,
} from './support/api-world.js';

const always = (...kinds: StrikeKind[]) => ({
  odds: Object.fromEntries(kinds.map((kind) => [kind, 1])),
});
const keyBody = (name: string) => ({ name, public_key: 'ssh-ed25519 AAAA' });
const namesIn = (heard: { json: unknown }) => listOf(heard).map(({ name }) => name);

describe('an absence that is none', () => {
  it('shows an empty list once, in its real form', async () => {
    const lists = await inApiWorld(always('empty list'), async (world) => {
      await givenStores(world, ['a', 'b']);
      const [first, second] = [
        await world.call(`GET ${STORES}`),
        await world.call(`GET ${STORES}`),
      ];
      return { first: first.json, second: namesIn(second), story: world.story() };
    });

    expect(lists).toMatchObject({ first: { count: 0, stores: [] }, second: ['a', 'b'] });
    expect(lists.story).toContain('SHOWN AS EMPTY');
  });

  it('shows an empty list of videos as a bare list', async () => {
    const json = await inApiWorld(always('empty list'), async (world) => {
      await given(world, 'POST /streaming/videos', { video: { name: 'film' } });
      const { json } = await world.call('GET /streaming/videos');
      return json;
    });

    expect(json).toEqual([]);
  });

  it('leaves out one row, once', async () => {
    const lists = await inManyWorlds(always('short list'), async (world) => {
      await givenStores(world, ['a', 'b', 'c']);
      const [first, second] = [
        await world.call(`GET ${STORES}`),
        await world.call(`GET ${STORES}`),
      ];
      return { first, second: namesIn(second) };
    });

    expect(lists.filter(({ second }) => second.length !== 3)).toEqual([]);
    expect(new Set(lists.map(({ first }) => String(namesIn(first))))).toEqual(
      new Set(['a,b', 'a,c', 'b,c']),
    );
    expect(lists[0]?.first.json).toMatchObject({ count: 2 });
  });

  it('gives a list on shorter pages than asked, with the number of all its rows', async () => {
    const pages = await inApiWorld(always('short pages'), async (world) => {
      for (const name of ['a', 'b', 'c', 'd']) await given(world, `POST ${KEYS}`, keyBody(name));
      const seen: unknown[] = [];
      for (let read = 1; read > 0;) {
        const page = await world.call(`GET ${KEYS}?limit=100&offset=${seen.length}`);
        read = listOf(page).length;
        seen.push(...namesIn(page));
        expect(page.json).toMatchObject({ count: 4 });
        expect(read).toBeLessThan(4);
      }
      return { seen, story: world.story() };
    });

    expect(pages.seen.sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(pages.story).toContain('A PAGE OF');
  });

  it('has one row twice, once for each caller, and counts it or not', async () => {
    const seen = await inManyWorlds(always('row twice'), async (world) => {
      await givenStores(world, ['a', 'b']);
      const twice = await world.call(`GET ${STORES}`);
      const later = await world.call(`GET ${STORES}`);
      return { rows: namesIn(twice).join(), count: twice.json, later: namesIn(later).join() };
    });

    expect(new Set(seen.map(({ rows }) => rows))).toEqual(
      new Set(['a,a,b', 'a,b,a', 'b,a,b', 'a,b,b']),
    );
    expect(new Set(seen.map(({ count }) => isRow(count) && count['count']))).toEqual(
      new Set([2, 3]),
    );
    expect(new Set(seen.map(({ later }) => later))).toEqual(new Set(['a,b']));
  });

  it.each([
    { area: 'cloud', list: VOLUMES, body: volumeBody },
    { area: 'storage', list: KEYS, body: keyBody('k') },
    { area: 'streaming', list: '/streaming/videos', body: { video: { name: 'film' } } },
    { area: 'fastedge', list: STORES, body: { name: 'one' } },
  ])('says "not found" once, in the form of the area $area', async ({ area, list, body }) => {
    const { first, second, real } = await inApiWorld(always('not found once'), async (world) => {
      const { id = '' } = await given(world, `POST ${list}`, body);
      const one = `GET ${list}/${world.simulator.snapshot().volumes[0]?.id ?? Number(id)}`;
      const nobody = area === 'cloud' ? '00000000-0000-4000-8000-000000000000' : '999';
      const [first, second] = [await world.call(one), await world.call(one)];
      return { first, second, real: await world.call(`GET ${list}/${nobody}`) };
    });

    expect(first.status).toBe(404);
    expect(second.status).toBe(200);
    const keysOf = (json: unknown) => Object.keys(json ?? {}).sort();
    expect(keysOf(first.json)).toEqual(keysOf(real.json));
  });

  it('may not find the same thing for a while, whoever asks, but what else is there', async () => {
    const seen = await inManyWorlds({ ...always('not found once'), most: 1 }, async (world) => {
      await givenStores(world, ['a', 'b']);
      const [a, b] = world.simulator.snapshot().kvStores.map(({ id }) => `GET ${STORES}/${id}`);
      const asked = [];
      for (const [call, workflowId] of [
        [a, 'run-1'],
        [a, 'run-2'],
        [b, 'run-1'],
      ]) {
        asked.push(await world.call(call ?? '', { workflowId: workflowId ?? '' }));
      }
      await world.pass(110_000);
      asked.push(await world.call(a ?? ''));
      return asked.map(({ status }) => status).join();
    });

    expect(new Set(seen)).toEqual(new Set(['404,200,200,200', '404,404,200,200']));
  });

  it('misleads each caller only once, in whatever way', async () => {
    const kinds = always('empty list', 'short list', 'not found once');
    const struck = await inApiWorld(kinds, async (world) => {
      await givenStores(world, ['a', 'b']);
      for (const workflowId of ['run-1', 'run-2', 'run-1']) {
        await world.call(`GET ${STORES}`, { workflowId });
        await world.call(`GET ${STORES}/1`, { workflowId });
      }
      return world.chaos.struck.map(({ occasion }) => occasion);
    });

    expect(struck).toEqual([`GET ${STORES} #1 of run-1`, `GET ${STORES} #1 of run-2`]);
  });

  it('is no strike where nothing is', async () => {
    const struck = await inApiWorld(always('empty list', 'not found once'), async (world) => {
      await world.call(`GET ${STORES}`);
      await world.call(`GET ${STORES}/7`);
      return world.chaos.struck;
    });

    expect(struck).toEqual([]);
  });
});

describe('lists in another order', () => {
  it('show the same rows, in any order', async () => {
    const orders = await inManyWorlds(always('other order'), async (world) => {
      await givenStores(world, ['a', 'b', 'c']);
      return namesIn(await world.call(`GET ${STORES}`)).join('');
    });

    expect(new Set(orders)).toEqual(new Set(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']));
  });

  it('keep the order that the call asks for', async () => {
    const struck = await inApiWorld(always('other order'), async (world) => {
      await given(world, `POST ${KEYS}`, { name: 'a', public_key: 'ssh-ed25519 AAAA' });
      await given(world, `POST ${KEYS}`, { name: 'b', public_key: 'ssh-ed25519 AAAB' });
      await world.call(`GET ${KEYS}?order_by=name.asc`);
      return world.chaos.struck;
    });

    expect(struck).toEqual([]);
  });
});

describe('a refusal for no reason', () => {
  const refusals = [
    ['conflict once', 409],
    ['forbidden once', 403],
  ] as const;

  it.each(refusals)('says %s with status %i, and does nothing', async (kind, status) => {
    const seen = await inApiWorld(always(kind), async (world) => {
      const first = await world.call(`POST ${STORES}`, { body: { name: 'one' } });
      const before = world.simulator.snapshot().kvStores.length;
      const second = await world.call(`POST ${STORES}`, { body: { name: 'one' } });
      return { first, before, second, recorded: world.calls[0]?.status };
    });

    expect(seen).toMatchObject({
      first: { status, json: { error: expect.any(String) } },
      before: 0,
      second: { status: 200 },
      recorded: status,
    });
  });

  it('says in no conflict that something is locked or exists', async () => {
    const texts = await inManyWorlds(always('conflict once'), async (world) => {
      const { text } = await world.call(`POST ${VOLUMES}`, { body: volumeBody });
      return text;
    });

    expect(texts.filter((text) => /lock|task|exist|duplicate/i.test(text))).toEqual([]);
    expect(texts.filter((text) => !text.includes('ConflictError'))).toEqual([]);
  });

  it('conflicts with no read', async () => {
    const status = await inApiWorld(always('conflict once'), async (world) => {
      const { status } = await world.call(`GET ${STORES}`);
      return status;
    });

    expect(status).toBe(200);
  });
});

describe('a quota that is used up', () => {
  const checkBody = { flavor: 'g2-standard-2-4', names: ['web'], interfaces: [], volumes: [] };
  const check = '/cloud/v2/instances/1/1/check_limits';

  it('refuses creates for a while', async () => {
    const seen = await inManyWorlds({ ...always('quota'), most: 1 }, async (world) => {
      const first = await world.call(`POST ${VOLUMES}`, { body: volumeBody });
      const told = await world.call(`POST ${check}`, { body: checkBody });
      await world.pass(120_000);
      const later = await world.call(`POST ${VOLUMES}`, { body: volumeBody });
      return { first, told, later };
    });

    expect(new Set(seen.map(({ first }) => first.status))).toEqual(new Set([400, 403]));
    expect(seen.filter(({ first }) => !first.text.includes('QuotaLimitExceed'))).toEqual([]);
    expect(new Set(seen.map(({ later }) => later.status))).toEqual(new Set([200]));
    const isTold = seen.map(({ told }) => told.text.includes('_limit'));
    expect(new Set(isTold)).toEqual(new Set([true, false]));
  });

  it('is told by the check of the limits', async () => {
    const { json } = await inApiWorld(always('quota'), (world) =>
      world.call(`POST ${check}`, { body: checkBody }),
    );

    expect(Object.keys(json ?? {})).toHaveLength(3);
  });
});

describe('a refused key, and maintenance', () => {
  it.each([
    ['key refused', 401],
    ['maintenance', 503],
  ] as const)('refuses every call for a while, and nothing is done: %s', async (kind, refused) => {
    const seen = await inManyWorlds({ ...always(kind), most: 1 }, async (world) => {
      const first = await world.call(`POST ${VOLUMES}`, { body: volumeBody });
      const next = await world.call(`GET ${VOLUMES}`);
      const { length } = world.simulator.snapshot().volumes;
      await world.pass(180 * 60_000);
      return {
        statuses: [first.status, next.status],
        length,
        later: await world.call(`GET ${VOLUMES}`),
      };
    });

    expect(new Set(seen.flatMap(({ statuses }) => statuses))).toEqual(new Set([refused]));
    expect(new Set(seen.map(({ length }) => length))).toEqual(new Set([0]));
    expect(new Set(seen.map(({ later }) => later.status))).toEqual(new Set([200]));
  });
});

describe('lagging lists', () => {
  it('show what was made up to 45 s later', async () => {
    const rows = await inManyWorlds(always('lagging list'), async (world) => {
      await world.call(`POST ${VOLUMES}`, { body: volumeBody });
      const id = world.simulator.snapshot().volumes[0]?.id ?? '';
      const one = await world.call(`GET ${VOLUMES}/${id}`);
      const countNow = listOf(await world.call(`GET ${VOLUMES}`)).length;
      const tasks = listOf(await world.call('GET /cloud/v1/tasks')).length;
      await world.pass(45_000);
      const countLater = listOf(await world.call(`GET ${VOLUMES}`)).length;
      return { status: one.status, countNow, countLater, tasks };
    });

    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(rows.map(({ countNow }) => countNow))).toEqual(new Set([0]));
    expect(new Set(rows.map(({ countLater }) => countLater))).toEqual(new Set([1]));
    expect(new Set(rows.map(({ tasks }) => tasks))).toEqual(new Set([0, 1]));
  });
});

describe('a success that says an error', () => {
  it('does nothing, once for each caller, and its record says so', async () => {
    const seen = await inApiWorld(always('error in a success'), async (world) => {
      const make = `POST ${STORES}`;
      const [first, second] = [
        await world.call(make, { body: { name: 'one' } }),
        await world.call(make, { body: { name: 'one' } }),
      ];
      const made = world.simulator.snapshot().kvStores.length;
      return { first, second, made, calls: world.calls };
    });

    expect(seen.first).toMatchObject({ status: 200, json: { error: expect.any(String) } });
    expect(seen.second.json).toMatchObject({ name: 'one' });
    expect(seen.made).toBe(1);
    expect(seen.calls.map(({ hasReachedNothing }) => hasReachedNothing)).toEqual([true, undefined]);
  });
});

describe('the clock of the API', () => {
  it('may be up to five minutes off', async () => {
    const offs = await inManyWorlds(always('clock apart'), async (world) => {
      const { headers } = await world.call(`GET ${STORES}`);
      return Date.parse(headers.get('date') ?? '') - world.clock.now();
    });

    expect(Math.min(...offs)).toBeLessThan(-200_000);
    expect(Math.max(...offs)).toBeGreaterThan(200_000);
    expect(offs.filter((off) => Math.abs(off) > 302_000)).toEqual([]);
  });
});

describe('the form of a text', () => {
  const NAME = ' Pre\u0301  <a> "Caf\u00e9" ';
  const keep = async (world: ApiWorld) => {
    const [kind, comment] = ['  A  B ', 'plain'];
    const made = await world.call(`POST ${STORES}`, { body: { name: NAME, comment } });
    const more = await world.call(`POST ${STORES}`, { body: { name: kind, comment } });
    const { kvStores } = world.simulator.snapshot();
    return { made, more, kept: kvStores.map(({ name }) => name), body: world.calls[0]?.body };
  };

  it('is another one, the same wherever it shows', async () => {
    const seen = await inManyWorlds(always('other form of a text'), keep);

    expect(seen.filter(({ kept }) => kept[0] === NAME)).toEqual([]);
    expect(new Set(seen.map(({ kept }) => kept[0]))).toEqual(
      new Set([
        'Pre\u0301 <a> "Caf\u00e9"',
        NAME.normalize('NFC'),
        NAME.normalize('NFD'),
        NAME.toLowerCase(),
        ' Pre\u0301  &lt;a&gt; &quot;Caf\u00e9&quot; ',
      ]),
    );
    // What is recorded is what was sent.
    expect(seen[0]?.body).toMatchObject({ name: NAME });
  });

  it('stays for the whole seed', async () => {
    const seen = await inManyWorlds(always('other form of a text'), keep);
    const lower = seen.filter(({ kept }) => kept[0] === NAME.toLowerCase());

    expect(lower.length).toBeGreaterThan(0);
    expect(new Set(lower.map(({ kept }) => kept[1]))).toEqual(new Set(['  a  b ']));
  });

  it('changes neither tags nor the names of other things', async () => {
    const tags = { name: 'Mine Too' };
    const body = { ...volumeBody, name: 'Data', tags };
    const kept = await inManyWorlds(always('other form of a text'), async (world) => {
      await world.call(`POST ${VOLUMES}`, { body });
      return world.simulator.snapshot().volumes[0];
    });

    expect(kept[0]).toMatchObject({ name: 'data', tags });
  });

  it('is no strike where no form would change a text', async () => {
    const struck = await inApiWorld(always('other form of a text'), async (world) => {
      await world.call(`POST ${STORES}`, { body: { name: 'plain' } });
      return world.chaos.struck;
    });

    expect(struck).toEqual([]);
  });
});
