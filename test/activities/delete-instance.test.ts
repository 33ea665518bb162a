import { describe, expect, it } from '@jest/globals';

import { createScriptedApi, json } from '../support/http/scripted-api.js';
import { inActivity } from '../support/http/in-activity.js';
import { A_UUID, createBody } from '../support/inputs/instance-bodies.js';
import { createSimulatedAccount } from '../support/worlds/simulated-account.js';

const PLACE = { projectId: 1, regionId: 1 };
const MARKER = 'default/provision-instance/default/order-1';

describe('deleteInstance', () => {
  it('names the volumes to delete with the instance', async () => {
    const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-2'] }));

    const result = await inActivity(() =>
      activities.deleteInstance({
        ...PLACE,
        instanceId: 'i-1',
        volumeIds: ['v-1', 'v-2'],
      }),
    );

    expect(result).toEqual({ taskIds: ['task-2'] });
    expect(requests[0]).toMatchObject({ method: 'DELETE', body: undefined });
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toEqual({
      volumes: 'v-1,v-2',
    });
  });

  it('sends no empty lists', async () => {
    const { activities, requests } = createScriptedApi(() => json({ tasks: [] }));
    const input = { ...PLACE, instanceId: 'i-1', volumeIds: [] };

    await inActivity(() => activities.deleteInstance(input));

    expect(requests[0]?.url.search).toBe('');
  });

  it('returns no task when the instance is already gone', async () => {
    const { activities } = createSimulatedAccount();
    const input = { ...PLACE, instanceId: A_UUID, volumeIds: [] };

    const result = await inActivity(() => activities.deleteInstance(input));

    expect(result).toEqual({ taskIds: [], isGone: true });
  });

  it('reports busy while a task locks the instance', async () => {
    const account = createSimulatedAccount();
    const instanceId = await account.create({ marker: MARKER, instance: createBody() });
    const input = { ...PLACE, instanceId, volumeIds: [] };
    await inActivity(() => account.activities.deleteInstance(input));

    const removal = await inActivity(() => account.activities.deleteInstance(input));

    expect(removal).toEqual({ taskIds: [], isBusy: true });
  });
});
