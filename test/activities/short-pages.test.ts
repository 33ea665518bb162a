import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const ADDRESS = '203.0.113.7';
const COUNT = 5;

type Activities = ReturnType<typeof createScriptedApi>['activities'];

/** Each with its row at a place of the list, and the ids or names that a read of the whole list finds. */
const lists: [string, (at: number) => object, (activities: Activities) => Promise<unknown[]>][] = [
  [
    'listDdosProfiles',
    (id) => ({ id, ip_address: ADDRESS, fields: [], options: { active: true, bgp: false } }),
    async (activities) => {
      const profiles = await activities.listDdosProfiles({ ...PLACE, address: ADDRESS });
      return profiles.map(({ id }) => id);
    },
  ],
  [
    'findCloudSshKeyNames',
    (at) => ({ name: String(at) }),
    async (activities) => {
      const names = Array.from({ length: COUNT }, (_, at) => String(at));
      return (await activities.findCloudSshKeyNames({ projectId: 1, names })).map(Number);
    },
  ],
  [
    'listFlavors',
    (at) => ({ flavor_id: String(at), flavor_name: 'f', vcpus: 1, ram: 1 }),
    async (activities) => (await activities.listFlavors(PLACE)).map(({ id }) => Number(id)),
  ],
  [
    'listInterfaces',
    (at) => ({ port_id: String(at), ip_assignments: [] }),
    async (activities) => {
      const ports = await activities.listInterfaces({ ...PLACE, instanceId: 'a' });
      return ports.map(({ portId }) => Number(portId));
    },
  ],
];

describe.each(lists)('%s, where pages are shorter than asked', (_, toRow, read) => {
  const answering = (most: number) => {
    const rows = Array.from({ length: COUNT }, (_unused, at) => toRow(at));
    return createScriptedApi(({ url }) => {
      const offset = Number(new URL(url).searchParams.get('offset'));
      return json({ count: COUNT, results: rows.slice(offset, offset + most) });
    });
  };

  it('reads every row', async () => {
    const { activities } = answering(2);

    expect(await inActivity(() => read(activities))).toEqual([0, 1, 2, 3, 4]);
  });

  it('does not take a part for the whole', async () => {
    const { activities } = createScriptedApi(() => json({ count: 1_000, results: [toRow(0)] }));

    const { type } = await failureIn(() => read(activities));

    expect(type).toBe('UnexpectedResponse');
  });
});
