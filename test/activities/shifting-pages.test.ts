import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const MARKER = 'default/provision-instance/default/web';
const TAGS = [{ key: 'workflow-request', value: MARKER }];

const rowOf = (id: string) => ({
  id,
  name: id,
  status: 'available',
  volume_id: 'volume',
  created_at: '2026-05-01T12:00:00Z',
  creator_task_id: 'task',
  instance: { id: 'instance' },
  tags: TAGS,
});

/** A list in pages of three. Before its second page, somebody changes it. */
function createChangedList(change: (ids: string[]) => void) {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  let pages = 0;
  return createScriptedApi(({ url }) => {
    pages += 1;
    if (pages === 2) change(ids);
    const offset = Number(new URL(url).searchParams.get('offset'));
    return json({ count: ids.length, results: ids.slice(offset, offset + 3).map(rowOf) });
  }).activities;
}

type Activities = ReturnType<typeof createChangedList>;

const lists: [string, (activities: Activities) => Promise<string[]>][] = [
  ['listVolumes', (activities) => activities.listVolumes({ ...PLACE, marker: MARKER })],
  [
    'listFloatingIps',
    (activities) => activities.listFloatingIps({ ...PLACE, creatorTaskIds: ['task'] }),
  ],
  [
    'listFloatingIpsOfInstance',
    async (activities) => {
      const asked = { ...PLACE, instanceId: 'instance', addresses: [] };
      return (await activities.listFloatingIpsOfInstance(asked)).floatingIps.map(({ id }) => id);
    },
  ],
  [
    'listInstances',
    async (activities) => {
      const found = await activities.listInstances({ ...PLACE, marker: MARKER });
      return found.map(({ id }) => id);
    },
  ],
  [
    'listMarkedSnapshots',
    async (activities) => {
      const asked = { ...PLACE, marker: MARKER, volumeId: 'volume' };
      return (await activities.listMarkedSnapshots(asked)).map(({ id }) => id);
    },
  ],
];

describe.each(lists)('%s, of a list that changes between two pages', (_, read) => {
  it.each([['a'], ['c']])('misses no row because row %s is removed', async (removed) => {
    const activities = createChangedList((ids) => ids.splice(ids.indexOf(removed), 1));

    const found = await inActivity(() => read(activities));

    expect(found).toEqual(expect.arrayContaining(['d', 'e', 'f', 'g']));
  });

  it('has no row twice because one is added before it', async () => {
    const activities = createChangedList((ids) => ids.unshift('new', 'newer'));

    const found = await inActivity(() => read(activities));

    expect(found).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});
