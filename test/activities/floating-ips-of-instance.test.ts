import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const ASKED = { ...PLACE, instanceId: 'i-1', addresses: ['203.0.113.9'], offset: 0 };

const MINE = { id: 'f-1', floating_ip_address: '203.0.113.8', instance: { id: 'i-1' } };
/** The API need not name the instance. */
const BY_ADDRESS = {
  id: 'f-2',
  floating_ip_address: '203.0.113.9',
  port_id: 'p-1',
  task_id: 't-1',
};
const FOREIGN = { id: 'f-3', floating_ip_address: '203.0.113.7', instance: { id: 'i-2' } };
const FREE = { id: 'f-4', floating_ip_address: null, port_id: null, instance: null };

describe('listFloatingIpsOfInstance', () => {
  it('finds those that name the instance, or have one of its addresses', async () => {
    const results = [MINE, BY_ADDRESS, FOREIGN, FREE];
    const { activities, requests } = createScriptedApi(() => json({ count: 4, results }));

    const page = await inActivity(() => activities.listFloatingIpsOfInstance(ASKED));

    expect(page).toEqual({
      floatingIps: [
        { id: 'f-1', address: '203.0.113.8', instanceId: 'i-1' },
        { id: 'f-2', address: '203.0.113.9', portId: 'p-1', lockTaskId: 't-1' },
      ],
    });
    expect(requests).toMatchObject([
      { method: 'GET', url: { pathname: '/cloud/v1/floatingips/1/2' } },
    ]);
  });

  it('says where the next page begins, and stops after the last one', async () => {
    const { activities } = createScriptedApi(() => json({ count: 3, results: [FOREIGN, FREE] }));

    const first = await inActivity(() => activities.listFloatingIpsOfInstance(ASKED));
    const last = await inActivity(() =>
      activities.listFloatingIpsOfInstance({ ...ASKED, offset: 2 }),
    );

    expect([first.next, last.next]).toEqual([2, undefined]);
  });

  it('stops at an empty page, whatever the count says', async () => {
    const { activities } = createScriptedApi(() => json({ count: 9, results: [] }));

    const page = await inActivity(() => activities.listFloatingIpsOfInstance(ASKED));

    expect(page).toEqual({ floatingIps: [] });
  });
});

describe('what a deletion reads of a volume', () => {
  it('has its name, its lock and what it is attached to', async () => {
    const body = {
      ...{ id: 'v-1', name: 'boot', status: 'in-use', task_id: 't-1' },
      attachments: [{ server_id: 'i-1' }],
    };
    const { activities } = createScriptedApi(() => json(body));

    expect(await inActivity(() => activities.getVolume({ ...PLACE, id: 'v-1' }))).toEqual({
      ...{ status: 'in-use', name: 'boot', lockTaskId: 't-1', attachedTo: ['i-1'] },
    });
  });
});
