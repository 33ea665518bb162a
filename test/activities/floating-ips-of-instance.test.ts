import { describe, expect, it } from '@jest/globals';

import { inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const PLACE = { projectId: 1, regionId: 2 };
const ASKED = { ...PLACE, instanceId: 'i-1', addresses: ['203.0.113.9'] };

const MINE = { id: 'f-1', floating_ip_address: '203.0.113.8', instance: { id: 'i-1' } };
/** The API may omit the instance. */
const BY_ADDRESS = {
  id: 'f-2',
  floating_ip_address: '203.0.113.9',
  port_id: 'p-1',
  task_id: 't-1',
};
const FOREIGN = { id: 'f-3', floating_ip_address: '203.0.113.7', instance: { id: 'i-2' } };
const FREE = { id: 'f-4', floating_ip_address: null, port_id: null, instance: null };

describe('listFloatingIpsOfInstance', () => {
  it('returns floating IPs that name the instance or have one of its addresses', async () => {
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

  it('stops at an empty page even when the count is higher', async () => {
    const { activities } = createScriptedApi(() => json({ count: 9, results: [] }));

    const page = await inActivity(() => activities.listFloatingIpsOfInstance(ASKED));

    expect(page).toEqual({ floatingIps: [] });
  });
});

describe('getVolume', () => {
  it('returns the name, the size, the lock and the instances of a volume', async () => {
    const body = {
      id: 'v-1',
      name: 'boot',
      status: 'in-use',
      size: 20,
      volume_type: 'standard',
      is_root_volume: true,
      task_id: 't-1',
      attachments: [{ server_id: 'i-1' }],
    };
    const { activities } = createScriptedApi(() => json(body));

    expect(await inActivity(() => activities.getVolume({ ...PLACE, id: 'v-1' }))).toEqual({
      id: 'v-1',
      status: 'in-use',
      name: 'boot',
      size: 20,
      type: 'standard',
      isRoot: true,
      lockTaskId: 't-1',
      attachedTo: ['i-1'],
    });
  });
});
