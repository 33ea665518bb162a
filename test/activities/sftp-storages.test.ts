import { describe, expect, it } from '@jest/globals';

import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json, untilAborted } from '../support/http/scripted-api.js';

function wireStorage(change: Record<string, unknown> = {}) {
  return {
    id: 7,
    name: 'films',
    full_name: '1-films',
    location_name: 's-region-1',
    password: 'canary',
    provisioning_status: 'active',
    ssh_key_ids: [1, 2],
    ...change,
  };
}

describe('getSftpStorage', () => {
  const get = (body: unknown, status = 200) => {
    const { activities, requests } = createScriptedApi(() => json(body, status));
    return { act: () => activities.getSftpStorage({ storageId: 7 }), requests };
  };

  it('reads one storage and returns only what a run needs', async () => {
    const { act, requests } = get(wireStorage());

    expect(await inActivity(act)).toEqual({
      id: 7,
      name: 'films',
      status: 'active',
      sshKeyIds: [1, 2],
      location: 's-region-1',
    });
    expect(requests.map(({ method, url }) => [method, url.pathname])).toEqual([
      ['GET', '/storage/v4/sftp_storages/7'],
    ]);
  });

  it('reads null as no keys', async () => {
    expect(await inActivity(get(wireStorage({ ssh_key_ids: null })).act)).toMatchObject({
      sshKeyIds: [],
    });
  });

  it.each<[number, unknown, string]>([
    [404, { error: 'not found' }, 'NotFound'],
    [401, { error: 'no token' }, 'Unauthorized'],
    // A list that is mistaken for empty would remove every key.
    [200, { ...wireStorage(), ssh_key_ids: undefined }, 'UnexpectedResponse'],
  ])('fails on %i %j with its failure type', async (status, body, type) => {
    expect((await failureIn(get(body, status).act)).type).toBe(type);
  });
});

describe('setSftpStorageKeys', () => {
  const set = (answer: () => Response, shown = [1]) => {
    const { activities, requests } = createScriptedApi(({ method }) =>
      method === 'GET' ? json(wireStorage({ ssh_key_ids: shown })) : answer(),
    );
    const input = { storageId: 7, sshKeyIds: [1, 2], seen: [1] };
    return { act: () => activities.setSftpStorageKeys(input), requests };
  };

  it('sends the list of keys and no other field', async () => {
    const { act, requests } = set(() => json(wireStorage({ provisioning_status: 'updating' })));

    expect(await inActivity(act)).toMatchObject({ status: 'updating', sshKeyIds: [1, 2] });
    expect(requests).toMatchObject([
      { method: 'GET' },
      { method: 'PATCH', url: { pathname: '/storage/v4/sftp_storages/7' } },
    ]);
    expect(requests[1]?.body).toEqual({ ssh_key_ids: [1, 2] });
  });

  it('sends nothing when somebody has changed the list since it was seen', async () => {
    const { act, requests } = set(() => json(wireStorage()), [1, 3]);

    const failure = await failureIn(act);

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(failure.message).toContain('somebody has changed the keys of SFTP storage 7');
    expect(requests).toMatchObject([{ method: 'GET' }]);
  });

  it('looks again at once when the answer to its look is lost', async () => {
    const answers = [json({}, 503), json(wireStorage({ ssh_key_ids: [1] }))];
    const { activities, requests } = createScriptedApi(
      ({ method }) => (method === 'GET' ? answers.shift() : undefined) ?? json(wireStorage()),
    );
    const input = { storageId: 7, sshKeyIds: [1, 2], seen: [1] };

    await inActivity(() => activities.setSftpStorageKeys(input));

    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
  });

  it.each<[string, Response, number]>([
    ['no answer', json({}, 503), 2],
    ['an answer that nobody can read', json({ id: 'seven' }), 1],
    ['the time to come again', json({}, 429, { 'retry-after': '7' }), 1],
  ])('fails as not sent when its look gets %s', async (_, answer, looks) => {
    const { activities, requests } = createScriptedApi(() => answer.clone());
    const input = { storageId: 7, sshKeyIds: [1, 2], seen: [1] };

    const failure = await failureIn(() => activities.setSftpStorageKeys(input));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(requests.map(({ method }) => method)).toEqual(Array(looks).fill('GET'));
  });

  it('fails as not sent when its run takes it back during the look before', async () => {
    const environment = createActivityEnvironment();
    const { activities, requests } = createScriptedApi((request) => {
      environment.cancel('CANCELLED');
      return untilAborted(request);
    });
    const input = { storageId: 7, sshKeyIds: [1, 2], seen: [1] };

    const failure = await failureIn(() => activities.setSftpStorageKeys(input), environment);

    expect(failure.type).toBe('ServiceUnavailable');
    expect(requests).toMatchObject([{ method: 'GET' }]);
  });

  it.each<[number, unknown, string]>([
    [400, { error: 'too many' }, 'InvalidRequest'],
    [409, { error: 'is being updated' }, 'ResourceBusy'],
    [429, {}, 'RateLimited'],
    [503, {}, 'OutcomeUnknown'],
    [200, {}, 'OutcomeUnknown'],
  ])('fails on %i without a blind repeat', async (status, body, type) => {
    expect((await failureIn(set(() => json(body, status)).act)).type).toBe(type);
  });
});

describe('findCloudSshKeyNames', () => {
  it('reads all pages of the cloud keys and returns the names that exist', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: 'x', name: `key-${from + index}` }));
    const { activities, requests } = createScriptedApi((request) =>
      json(
        new URL(request.url).searchParams.get('offset') === null
          ? { count: 1_002, results: page(0, 1_000) }
          : { count: 1_002, results: page(999, 3) },
      ),
    );

    const names = ['key-1001', 'key', 'key-5'];
    const found = await inActivity(() => activities.findCloudSshKeyNames({ projectId: 1, names }));

    expect(found).toEqual(['key-1001', 'key-5']);
    expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
      '/cloud/v1/ssh_keys/1?limit=1000',
      '/cloud/v1/ssh_keys/1?limit=1000&offset=999',
    ]);
  });
});
