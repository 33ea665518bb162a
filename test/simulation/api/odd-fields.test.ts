import { describe, expect, it } from '@jest/globals';

import { protectInput } from '../../support/inputs/protect-input.js';
import { holdersOf, openFieldsOf } from './answer-fields.js';
import { isRow } from './api-answer.js';
import {
  given,
  givenInstance,
  inApiWorld,
  inManyWorlds,
  listOf,
  VOLUMES,
  volumeBody,
} from './support/api-world.js';

const VOLUME_LIST = '/cloud/v1/volumes/…/…';

describe('the fields that need not be there', () => {
  it('are those of the documents', () => {
    const fields = openFieldsOf('GET', VOLUME_LIST);
    const field = fields.find(({ path }) => path === 'results[].attachments[].server_id');

    expect(field).toMatchObject({ mayBeNull: true, mayBeMissing: true });
    expect(fields.map(({ path }) => path)).not.toContain('results[].id');
    expect(openFieldsOf('GET', '/cloud/v1/ddos/profiles/…/…')).toContainEqual(
      expect.objectContaining({
        path: 'results[].ip_address',
        mayBeNull: true,
        mayBeMissing: false,
      }),
    );
    expect(openFieldsOf('GET', '/streaming/videos')).toContainEqual(
      expect.objectContaining({ path: '[].error', mayBeNull: false, mayBeMissing: true }),
    );
  });

  it('are found in lists of lists, where they are not null', () => {
    const json = {
      results: [{ attachments: [{ server_id: 'a' }, { server_id: null }] }, { attachments: null }],
    };
    const steps = ['results', '[]', 'attachments', '[]', 'server_id'];

    expect(holdersOf(json, { steps })).toEqual([{ server_id: 'a' }]);
  });
});

describe('a field that is null', () => {
  it('is one of those that may be, and was there', async () => {
    const said = await inManyWorlds({ odds: { 'null field': 1 }, most: 1 }, async (world) => {
      const { volumeId } = await givenInstance(world);
      const before = await given(world, `GET ${VOLUMES}/${volumeId}`, undefined);
      const { json } = await world.call(`GET ${VOLUMES}/${volumeId}`);
      return { json, before, story: world.story() };
    });

    const names = said.map(({ story }) => /, (\S+) IS NULL/.exec(story)?.[1]);
    expect(names).toContain('attachments[].server_id');
    expect(names).toContain('attachments');
    expect(names).not.toContain('id');
    expect(names).not.toContain('task_id');
    expect(
      said.filter(({ json, before }) => JSON.stringify(json) === JSON.stringify(before)),
    ).toEqual([]);
  });

  it('stays null in all answers of the kind, or is null once', async () => {
    const seen = await inManyWorlds({ odds: { 'null field': 1 }, most: 1 }, async (world) => {
      await givenInstance(world);
      const lists = [await world.call(`GET ${VOLUMES}`), await world.call(`GET ${VOLUMES}`)];
      const plain = await given(world, `GET ${VOLUMES}`, undefined);
      return lists.map(({ json }) => JSON.stringify(json) === JSON.stringify(plain)).join();
    });

    expect(new Set(seen)).toEqual(new Set(['false,false', 'false,true']));
  });

  it('is null once where it is the status of a profile', async () => {
    const list = '/cloud/v1/ddos/profiles/1/1';
    const seen = await inManyWorlds({ odds: { 'null field': 1 }, most: 1 }, async (world) => {
      await given(world, `POST ${list}`, protectInput().profile);
      await world.pass(120_000);
      const lists = [await world.call(`GET ${list}`), await world.call(`GET ${list}`)];
      return lists.map((heard) => listOf(heard)[0]?.['status'] === null).join();
    });

    expect(new Set(seen)).toEqual(new Set(['false,false', 'true,false']));
  });

  it('may be null in one row only', async () => {
    const counts = await inManyWorlds({ odds: { 'null field': 1 }, most: 1 }, async (world) => {
      await given(world, `POST ${VOLUMES}`, volumeBody);
      await given(world, `POST ${VOLUMES}`, volumeBody);
      await world.pass(60_000);
      const list = listOf(await world.call(`GET ${VOLUMES}`));
      return list.filter((row) => row['updated_at'] === null).length;
    });

    expect(new Set(counts)).toEqual(new Set([0, 1, 2]));
  });

  it('is no strike where nothing can be null', async () => {
    const struck = await inApiWorld({ odds: { 'null field': 1 } }, async (world) => {
      await world.call(`GET ${VOLUMES}`);
      await world.call('GET /storage/v4/ssh_keys');
      return world.chaos.struck;
    });

    expect(struck).toEqual([]);
  });

  it('is recorded as it really is', async () => {
    const { shown, recorded } = await inApiWorld({ odds: { 'null field': 1 } }, async (world) => {
      const { volumeId } = await givenInstance(world);
      const { text } = await world.call(`GET ${VOLUMES}/${volumeId}`);
      return { shown: text, recorded: JSON.stringify(world.calls[0]?.answer) };
    });

    expect(shown).not.toBe(recorded);
  });
});

describe('a field that is missing', () => {
  it('is gone from the answer', async () => {
    const seen = await inManyWorlds({ odds: { 'missing field': 1 }, most: 1 }, async (world) => {
      const { volumeId } = await givenInstance(world);
      const before = await given(world, `GET ${VOLUMES}/${volumeId}`, undefined);
      const { json } = await world.call(`GET ${VOLUMES}/${volumeId}`);
      return Object.keys(before).filter((name) => isRow(json) && !(name in json));
    });

    const gone = new Set(seen.flat());
    expect(gone).toContain('attachments');
    expect(gone).not.toContain('id');
    expect(seen.filter((names) => names.length > 1)).toEqual([]);
  });
});
