import { inspect } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { failureIn, inActivity } from '../support/http/in-activity.js';
import { A_UUID, createBody } from '../support/inputs/instance-bodies.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';
import { createSimulatedAccount } from '../support/worlds/simulated-account.js';

const PLACE = { projectId: 1, regionId: 1 };
const MARKER = 'default/order-1';

describe('listVolumes', () => {
  it('finds the volumes that were created with a marked instance', async () => {
    const account = createSimulatedAccount();
    await account.create({ marker: MARKER, instance: createBody() });
    await account.create({ marker: 'default/other', instance: createBody() });

    const found = await inActivity(() =>
      account.activities.listVolumes({ ...PLACE, marker: MARKER }),
    );

    const { volumes } = account.simulator.inventory();
    const marked = volumes.filter(({ tags }) => tags.some(({ value }) => value === MARKER));
    expect(volumes).toHaveLength(2);
    expect(found).toEqual(marked.map((volume) => volume.id));
    expect(found).toHaveLength(1);
  });

  it('compares the marker itself, because a server may ignore the filter', async () => {
    const tagged = (id: string, key: string, value: string) => ({
      id,
      status: 'available',
      tags: [{ key, value }],
    });
    const results = [
      tagged('mine', 'workflow-request', MARKER),
      tagged('other', 'workflow-request', 'default/order-10'),
      tagged('other-key', 'request', MARKER),
      { id: 'untagged', status: 'available' },
    ];
    const { activities, requests } = createScriptedApi(() => json({ count: 4, results }));

    const found = await inActivity(() => activities.listVolumes({ ...PLACE, marker: MARKER }));

    expect(found).toEqual(['mine']);
    expect(requests[0]?.url.searchParams.get('tag_key_value')).toBe(
      JSON.stringify({ 'workflow-request': MARKER }),
    );
  });
});

describe('deleteVolume', () => {
  it('deletes one volume and returns its task', async () => {
    const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-1'] }));

    const result = await inActivity(() => activities.deleteVolume({ ...PLACE, volumeId: 'v-1' }));

    expect(result).toEqual({ taskIds: ['task-1'] });
    expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'DELETE /cloud/v1/volumes/1/1/v-1',
    ]);
  });

  it('returns no task when the volume is already gone', async () => {
    const { activities } = createSimulatedAccount();

    const result = await inActivity(() => activities.deleteVolume({ ...PLACE, volumeId: A_UUID }));

    expect(result).toEqual({ taskIds: [], isGone: true });
  });

  it('fails for any other reason than "not found"', async () => {
    const { activities } = createScriptedApi(() => json({}, 401));

    const failure = await failureIn(() => activities.deleteVolume({ ...PLACE, volumeId: 'v-1' }));

    expect(failure.type).toBe('Unauthorized');
  });
});

describe('deleteFloatingIp', () => {
  it('deletes one floating IP and returns its task', async () => {
    const { activities, requests } = createScriptedApi(() => json({ tasks: ['task-1'] }));

    const result = await inActivity(() =>
      activities.deleteFloatingIp({ ...PLACE, floatingIpId: 'f-1' }),
    );

    expect(result).toEqual({ taskIds: ['task-1'] });
    expect(requests[0]?.url.pathname).toBe('/cloud/v1/floatingips/1/1/f-1');
  });

  it('returns no task when the floating IP is already gone', async () => {
    const { activities } = createSimulatedAccount();

    const result = await inActivity(() =>
      activities.deleteFloatingIp({ ...PLACE, floatingIpId: A_UUID }),
    );

    expect(result).toEqual({ taskIds: [], isGone: true });
  });
});

describe('listFloatingIps', () => {
  it('finds the floating IPs of these tasks, and none of unknown origin', async () => {
    const results = [
      { id: 'f-1', creator_task_id: 't-1' },
      { id: 'f-2', creator_task_id: 't-2' },
      { id: 'f-3', creator_task_id: 't-3' },
      { id: 'f-4', creator_task_id: null },
      { id: 'f-5' },
    ];
    const { activities } = createScriptedApi(() => json({ count: 3, results }));

    const found = await inActivity(() =>
      activities.listFloatingIps({ ...PLACE, creatorTaskIds: ['t-3', 't-1', 't-9'] }),
    );

    expect(found).toEqual(['f-1', 'f-3']);
  });
});

describe('getTask', () => {
  it('returns the resources of a finished task', async () => {
    const account = createSimulatedAccount();
    const instanceId = await account.create({ marker: MARKER, instance: createBody() });
    const [task] = account.simulator.inventory().tasks;

    const view = await inActivity(() => account.activities.getTask({ taskId: task?.id ?? '' }));

    const [volume] = account.simulator.inventory().volumes;
    expect(view).toEqual({
      id: task?.id,
      type: 'create_vm',
      state: 'FINISHED',
      error: undefined,
      created: { instances: [instanceId], volumes: [volume?.id], floatingIps: [] },
    });
  });

  it('never returns the password that the API echoes in `data`', async () => {
    const account = createSimulatedAccount();
    const instance = createBody({ username: 'admin', password: 'canary-password' });
    await account.create({ marker: MARKER, instance });
    const [task] = account.simulator.inventory().tasks;

    const view = await inActivity(() => account.activities.getTask({ taskId: task?.id ?? '' }));

    expect(JSON.stringify(task)).toContain('canary-password');
    expect(inspect(view, { depth: null, showHidden: true })).not.toContain('canary-password');
  });

  it('returns the error text of a failed task, and no resources', async () => {
    const body = {
      id: 'task-1',
      task_type: 'create_vm',
      state: 'ERROR',
      created_resources: null,
      error: 'Quota limit for volume_size exceeded by 20',
    };
    const { activities } = createScriptedApi(() => json(body));

    const view = await inActivity(() => activities.getTask({ taskId: 'task-1' }));

    expect(view).toEqual({
      id: 'task-1',
      type: 'create_vm',
      state: 'ERROR',
      error: 'Quota limit for volume_size exceeded by 20',
      errorType: 'QuotaExceeded',
      created: { instances: [], volumes: [], floatingIps: [] },
    });
  });

  it('fails as NotFound when the API has forgotten the task', async () => {
    const { activities } = createSimulatedAccount();

    const failure = await failureIn(() => activities.getTask({ taskId: A_UUID }));

    expect(failure).toMatchObject({ type: 'NotFound', nonRetryable: true });
  });
});
