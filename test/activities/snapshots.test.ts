import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 76 };
const ID = '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f';
const TARGET = { ...PLACE, volumeId: ID };

describe('findLastSnapshot', () => {
  const row = (id: string, createdAt: string, volumeId = ID) => ({
    id,
    status: 'available',
    volume_id: volumeId,
    created_at: createdAt,
  });
  const find = (results: readonly object[]) => {
    const { activities } = createScriptedApi(() => json({ count: results.length, results }));
    return inActivity(() => activities.findLastSnapshot(TARGET));
  };

  it('is the newest one of the volume, in whatever order and notation they are listed', async () => {
    const last = await find([
      row('second', '2026-05-01T12:00:00Z'),
      row('last', '2026-05-01 12:00:01+00:00'),
      row('first', '2026-05-01T10:00:00'),
      row('of another volume', '2026-06-01T00:00:00Z', 'other'),
    ]);

    expect(last).toEqual({ id: 'last', status: 'available' });
  });

  it('is null when there is none', async () => {
    expect(await find([])).toBeNull();
  });
});

describe('getRevertibleVolume', () => {
  const row = (id: string, hour: number, status = 'available') => ({
    id,
    status,
    volume_id: ID,
    created_at: `2026-05-01T${hour}:00:00Z`,
  });
  interface Shown {
    list: readonly object[];
    /** What each read by id shows. */
    byId?: Record<string, object>;
    /** What the volume names. */
    named?: readonly string[] | null;
  }
  const read = async ({ list, byId = {}, named = null }: Shown) => {
    const { activities, requests } = createScriptedApi(({ url }) => {
      const { pathname } = new URL(url);
      const last = pathname.split('/').at(-1) ?? '';
      if (last === ID) return json({ id: ID, status: 'available', snapshot_ids: named });
      if (pathname === '/cloud/v1/snapshots/1/76')
        return json({ count: list.length, results: list });
      return json(byId[last] ?? { message: `${last} is not found` }, byId[last] ? 200 : 404);
    });
    const { last } = await inActivity(() => activities.getRevertibleVolume(TARGET));
    return { last, requests: requests.length };
  };

  it('has the newest snapshot, with two requests', async () => {
    const list = [row('old', 10), row('new', 12)];

    expect(await read({ list, named: ['old', 'new'] })).toEqual({
      last: { id: 'new', status: 'available' },
      requests: 2,
    });
  });

  it('passes over one that has failed, as its own read says too', async () => {
    const failed = row('failed', 12, 'error');

    const { last } = await read({ list: [row('sound', 10), failed], byId: { failed } });

    expect(last).toEqual({ id: 'sound', status: 'available' });
  });

  it.each([
    ['its own read shows no error', { new: row('new', 12) }, 'available'],
    ['its own read does not show it', {}, 'error'],
  ])('passes over none that one answer calls failed: %s', async (_, byId, status) => {
    const { last } = await read({ list: [row('old', 10), row('new', 12, 'error')], byId });

    expect(last).toEqual({ id: 'new', status });
  });

  it('finds one that the volume names and the list does not show', async () => {
    const byId = { new: row('new', 12, 'creating') };

    const { last } = await read({ list: [row('old', 10)], byId, named: ['gone', 'old', 'new'] });

    expect(last).toEqual({ id: 'new', status: 'creating' });
  });

  it('has none when all have failed', async () => {
    const failed = row('failed', 12, 'error');

    expect((await read({ list: [failed], byId: { failed } })).last).toBeNull();
  });
});
