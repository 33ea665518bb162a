import { describe, expect, it } from '@jest/globals';

import type { CreateInstanceBody } from '../../src/contract/api/create-instance-body.js';
import { API_KEY, createScriptedApi, json } from '../support/http/scripted-api.js';
import { failureIn, inActivity } from '../support/http/in-activity.js';
import { A_UUID, createBody } from '../support/inputs/instance-bodies.js';
import { createSimulatedAccount } from '../support/worlds/simulated-account.js';

const PLACE = { projectId: 1, regionId: 1 };
const MARKER = 'default/provision-instance/default/order-1';

describe('createInstance', () => {
  const started = () => json({ tasks: ['task-1'] });

  it('sends one POST with the key and returns its tasks', async () => {
    const { activities, requests } = createScriptedApi(started);

    const result = await inActivity(() =>
      activities.createInstance({
        ...PLACE,
        marker: MARKER,
        maker: 'maker-1',
        instance: createBody(),
      }),
    );

    expect(result).toEqual({ taskIds: ['task-1'] });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST' });
    expect(requests[0]?.url.pathname).toBe('/cloud/v2/instances/1/1');
    expect(requests[0]?.headers.get('authorization')).toBe(`apikey ${API_KEY}`);
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('marks the instance and its new volumes in addition to the tags of the caller', async () => {
    const { activities, requests } = createScriptedApi(started);
    const instance: CreateInstanceBody = {
      ...createBody({}),
      tags: { team: 'web' },
      volumes: [
        { source: 'image', image_id: A_UUID, tags: { role: 'boot' } },
        { source: 'new-volume', size: 1 },
        { source: 'snapshot', snapshot_id: A_UUID, size: 1 },
        { source: 'apptemplate', apptemplate_id: 'app' },
      ],
    };

    await inActivity(() =>
      activities.createInstance({ ...PLACE, marker: MARKER, maker: 'maker-1', instance }),
    );

    const mark = { 'workflow-request': MARKER, 'workflow-run': 'maker-1' };
    expect(requests[0]?.body).toEqual({
      ...instance,
      tags: { team: 'web', ...mark },
      volumes: [
        { ...instance.volumes[0], tags: { role: 'boot', ...mark } },
        { ...instance.volumes[1], tags: mark },
        { ...instance.volumes[2], tags: mark },
        { ...instance.volumes[3], tags: mark },
      ],
    });
  });

  it('never marks an existing volume, which a removal by marker would delete', async () => {
    const { activities, requests } = createScriptedApi(started);
    const existing = { source: 'existing-volume', volume_id: A_UUID, boot_index: 0 } as const;

    await inActivity(() =>
      activities.createInstance({
        maker: 'maker-1',
        ...PLACE,
        marker: MARKER,
        instance: { ...createBody({}), volumes: [existing] },
      }),
    );

    expect(requests[0]?.body).toMatchObject({ volumes: [existing] });
    expect(JSON.stringify(requests[0]?.body).split(MARKER)).toHaveLength(2);
  });

  it('does not change the given body', async () => {
    const { activities } = createScriptedApi(started);
    const instance = createBody({});
    const before = structuredClone(instance);

    await inActivity(() =>
      activities.createInstance({ ...PLACE, marker: MARKER, maker: 'maker-1', instance }),
    );

    expect(instance).toEqual(before);
  });

  it('names the fields of a refusal as the input of the run does', async () => {
    const fields = { 'volumes.0.size': ['is too small'] };
    const refusal = { exception_class: 'ValidationError', invalid_fields: fields };
    const { activities } = createScriptedApi(() => json(refusal, 400));
    const instance = createBody();

    const failure = await failureIn(() =>
      activities.createInstance({ ...PLACE, marker: MARKER, maker: 'maker-1', instance }),
    );

    expect(failure.details?.[0]).toMatchObject({ faults: [{ path: 'instance.volumes.0.size' }] });
  });

  it('returns no tasks when the API names none', async () => {
    const { activities } = createScriptedApi(() => json({ tasks: [] }));

    const result = await inActivity(() =>
      activities.createInstance({
        ...PLACE,
        marker: MARKER,
        maker: 'maker-1',
        instance: createBody(),
      }),
    );

    expect(result).toEqual({ taskIds: [] });
  });
});

describe('listForeignInstances', () => {
  it('finds the instances of others with one call', async () => {
    const account = createSimulatedAccount();
    const mine = await account.create({ marker: MARKER, instance: createBody({ name: 'mine' }) });
    const other = await account.create({ marker: 'default/other', instance: createBody() });
    await account.create({ marker: 'default/third', instance: createBody() });
    const before = account.simulator.requests.length;

    const foreign = await inActivity(() =>
      account.activities.listForeignInstances({
        ...PLACE,
        marker: MARKER,
        ids: [mine, other, 'not-listed-yet'],
      }),
    );

    expect(foreign).toEqual([other]);
    expect(account.simulator.requests).toHaveLength(before + 1);
  });
});

describe('listInstances', () => {
  it('finds the instances with the marker', async () => {
    const account = createSimulatedAccount();
    await account.create({ marker: MARKER, instance: createBody({ name: 'mine' }) });
    await account.create({ marker: 'default/other', instance: createBody({ name: 'other' }) });

    const found = await inActivity(() =>
      account.activities.listInstances({ ...PLACE, marker: MARKER }),
    );

    const [row] = account.simulator.inventory().instances.filter(({ name }) => name === 'mine');
    expect(found).toEqual([
      {
        id: row?.id,
        name: 'mine',
        status: 'ACTIVE',
        flavor: 'g2-standard-2-4',
        creatorTaskId: row?.creator_task_id,
        addresses: [{ network: expect.any(String), address: expect.any(String), type: 'fixed' }],
        publicAddress: Object.values(row?.addresses ?? {})[0]?.[0]?.addr,
        volumeIds: row?.volumes.map((volume) => volume.id),
        marker: MARKER,
        maker: 'maker-1',
      },
    ]);
  });

  it('filters by the tag as a JSON object', async () => {
    const { activities, requests } = createScriptedApi(() => json({ count: 0, results: [] }));

    await inActivity(() => activities.listInstances({ ...PLACE, marker: MARKER }));

    const query = Object.fromEntries(requests[0]?.url.searchParams ?? []);
    expect(requests[0]?.url.pathname).toBe('/cloud/v1/instances/1/1');
    expect(query).toEqual({
      tag_key_value: JSON.stringify({ 'workflow-request': MARKER }),
      limit: '1000',
    });
  });

  it('compares the marker itself, because a server may ignore the filter', async () => {
    const tagged = (id: string, tags: unknown) => ({ id, name: id, status: 'ACTIVE', tags });
    const results = [
      tagged('mine', [{ key: 'workflow-request', value: MARKER }]),
      tagged('longer', [{ key: 'workflow-request', value: `${MARKER}-2` }]),
      tagged('other-key', [{ key: 'request', value: MARKER }]),
      tagged('untagged', []),
      tagged('null', null),
    ];
    const { activities } = createScriptedApi(() => json({ count: 5, results }));

    const found = await inActivity(() => activities.listInstances({ ...PLACE, marker: MARKER }));

    expect(found.map((instance) => instance.id)).toEqual(['mine']);
  });
});

describe('getInstance', () => {
  it('fails as NotFound when the instance does not exist', async () => {
    const { activities } = createSimulatedAccount();

    const failure = await failureIn(() => activities.getInstance({ ...PLACE, instanceId: A_UUID }));

    expect(failure).toMatchObject({ type: 'NotFound', nonRetryable: true });
    expect(failure.details).toEqual([
      {
        method: 'GET',
        path: `/cloud/v1/instances/1/1/${A_UUID}`,
        status: 404,
        code: 'NotFoundError',
        requestId: expect.any(String),
        advice: expect.stringContaining('project'),
      },
    ]);
  });

  it('reads an instance that is still being built', async () => {
    const body = { id: 'i-1', name: 'web', status: 'BUILD', flavor: null, addresses: null };
    const { activities } = createScriptedApi(() => json(body));

    const instance = await inActivity(() =>
      activities.getInstance({ ...PLACE, instanceId: 'i-1' }),
    );

    expect(instance).toEqual({
      id: 'i-1',
      name: 'web',
      status: 'BUILD',
      flavor: undefined,
      creatorTaskId: undefined,
      addresses: [],
      publicAddress: null,
      volumeIds: [],
      marker: undefined,
    });
  });
});
