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
