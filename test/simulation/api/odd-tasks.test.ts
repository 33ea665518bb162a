import { describe, expect, it } from '@jest/globals';

import type { StrikeKind } from '../world/chaos.js';
import { isRow, type Row } from './api-answer.js';
import {
  inApiWorld,
  inManyWorlds,
  instanceBody,
  listOf,
  VOLUMES,
  volumeBody,
  type ApiWorld,
} from './support/api-world.js';

const TASKS = '/cloud/v1/tasks';
const always = (kind: StrikeKind) => ({ odds: { [kind]: 1 } });

async function start(world: ApiWorld, call: string, body: unknown): Promise<string> {
  const { json } = await world.call(call, { body });
  const [id] = isRow(json) && Array.isArray(json['tasks']) ? json['tasks'].map(String) : [];
  return id ?? '';
}

async function read(world: ApiWorld, id: string): Promise<Row> {
  const { json } = await world.call(`GET ${TASKS}/${id}`);
  return isRow(json) ? json : {};
}

describe('a task that fails', () => {
  const failCreate = async (world: ApiWorld) => {
    const id = await start(world, 'POST /cloud/v2/instances/1/1', instanceBody);
    await world.pass(60_000);
    const { state, error, created_resources: named } = await read(world, id);
    const { instances, volumes } = world.simulator.snapshot();
    return { state, error: String(error), named, left: [instances.length, volumes.length] };
  };

  it('leaves whatever such a task can leave, for every reason', async () => {
    const seen = await inManyWorlds(always('task error'), failCreate);

    expect(new Set(seen.map(({ state }) => state))).toEqual(new Set(['ERROR']));
    expect(new Set(seen.map(({ left }) => left.join()))).toEqual(new Set(['0,0', '0,1', '1,1']));
    expect(seen.some(({ error }) => error.includes('Quota'))).toBe(true);
    expect(seen.some(({ error }) => error.includes('No valid host'))).toBe(true);
    expect(seen.some(({ error }) => error.includes('Internal'))).toBe(true);
  });

  it('may name what it has left', async () => {
    const seen = await inManyWorlds(always('task error'), failCreate);
    const naming = seen.filter(({ named }) => named !== null);

    expect(naming.length).toBeGreaterThan(0);
    expect(naming.length).toBeLessThan(seen.length);
    expect(naming.filter(({ left }) => left.join() === '0,0')).toEqual([]);
  });

  it('is told when its call is carried out', async () => {
    const story = await inApiWorld(always('task error'), async (world) => {
      await start(world, `POST ${VOLUMES}`, volumeBody);
      return world.story();
    });

    expect(story).toContain('ITS TASK WILL FAIL');
  });

  it('is only that of the call', async () => {
    const states = await inApiWorld({ ...always('task error'), most: 1 }, async (world) => {
      const ids = [
        await start(world, 'POST /cloud/v2/instances/1/1', instanceBody),
        await start(world, 'POST /cloud/v2/instances/1/1', instanceBody),
      ];
      await world.pass(60_000);
      return [await read(world, ids[0] ?? ''), await read(world, ids[1] ?? '')].map(
        ({ state }) => state,
      );
    });

    expect(states).toEqual(['ERROR', 'FINISHED']);
  });

  it('may be an impression: what it makes shows as error once, and is sound', async () => {
    const seen = await inManyWorlds({ ...always('task error'), most: 1 }, async (world) => {
      const id = await start(world, `POST ${VOLUMES}`, volumeBody);
      const [first] = listOf(await world.call(`GET ${VOLUMES}`));
      await world.pass(60_000);
      const [second] = listOf(await world.call(`GET ${VOLUMES}`));
      const { state } = await read(world, id);
      return [first?.['status'], state, second?.['status']].join();
    });

    expect(new Set(seen)).toEqual(
      new Set(['error,FINISHED,available', 'creating,ERROR,', 'creating,ERROR,error']),
    );
  });

  it('is none of a call that starts no task', async () => {
    const struck = await inApiWorld(always('task error'), async (world) => {
      await world.call('POST /fastedge/v1/kv', { body: { name: 'one' } });
      return world.chaos.struck;
    });

    expect(struck).toEqual([]);
  });
});

describe('a task that vanishes', () => {
  it('is gone by its id and from lists, from then on', async () => {
    const seen = await inApiWorld({ ...always('task vanishes'), most: 1 }, async (world) => {
      const gone = await start(world, `POST ${VOLUMES}`, volumeBody);
      const other = await start(world, `POST ${VOLUMES}`, volumeBody);
      const first = await world.call(`GET ${TASKS}/${gone}`);
      const again = await world.call(`GET ${TASKS}/${gone}`);
      const listed = listOf(await world.call(`GET ${TASKS}`)).map(({ id }) => id);
      return { first, again, listed, other };
    });

    expect(seen.first).toMatchObject({
      status: 404,
      json: { exception_class: 'NotFoundError', message: expect.stringContaining('not found') },
    });
    expect(seen.again.status).toBe(404);
    expect(seen.listed).toEqual([seen.other]);
  });

  it('can vanish from a list first', async () => {
    const seen = await inApiWorld({ ...always('task vanishes'), most: 1 }, async (world) => {
      const id = await start(world, `POST ${VOLUMES}`, volumeBody);
      const listed = await world.call(`GET ${TASKS}`);
      const { status } = await world.call(`GET ${TASKS}/${id}`);
      return { json: listed.json, status };
    });

    expect(seen).toMatchObject({ json: { count: 0, results: [] }, status: 404 });
  });
});

describe('a task that names nothing', () => {
  it('says null or empty lists, the same each time', async () => {
    const seen = await inManyWorlds(always('task names nothing'), async (world) => {
      const id = await start(world, `POST ${VOLUMES}`, volumeBody);
      await world.pass(60_000);
      const one = await read(world, id);
      const [listed] = listOf(await world.call(`GET ${TASKS}`));
      return [one, listed ?? {}].map(({ created_resources: named }) => JSON.stringify(named));
    });

    expect(seen.filter(([one, listed]) => one !== listed)).toEqual([]);
    expect(new Set(seen.map(([one]) => one))).toEqual(new Set(['null', '{"volumes":[]}']));
  });

  it('never names what it has named nowhere, and what it has named always', async () => {
    const seen = await inManyWorlds({ odds: { 'task names nothing': 0.5 } }, async (world) => {
      const id = await start(world, `POST ${VOLUMES}`, volumeBody);
      await world.pass(60_000);
      const [first, second] = [await read(world, id), await read(world, id)];
      return [first, second].map(({ created_resources: named }) => JSON.stringify(named));
    });

    expect(seen.filter(([first, second]) => first !== second)).toEqual([]);
    expect(new Set(seen.map(([first]) => first)).size).toBeGreaterThan(2);
  });
});
