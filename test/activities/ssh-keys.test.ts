import { describe, expect, it } from '@jest/globals';

import type { SshKeyPageInput } from '../../src/activities/ssh-keys.js';
import { createSimulator } from '../../src/simulator/index.js';
import { failureIn, inActivity } from '../support/http/in-activity.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';
import { manyKeys, PUBLIC_KEY, stateWithKeys } from '../support/worlds/ssh-keys.js';

const ALL: SshKeyPageInput = { offset: 0, limit: 1_000 };

function wireKey(change: Record<string, unknown> = {}) {
  return {
    id: 5,
    name: 'ingest',
    public_key: PUBLIC_KEY,
    created_at: '2026-07-13T16:41:35Z',
    ...change,
  };
}

function answering(results: unknown[], count = results.length) {
  return createScriptedApi(() => json({ count, results }));
}

describe('listSshKeyPage', () => {
  it('reads one page, oldest first', async () => {
    const simulator = createSimulator({ state: stateWithKeys(manyKeys(12)) });
    const { activities, requests } = createScriptedApi((request) =>
      simulator.fetch(request.url, { headers: { authorization: 'apikey simulator-key' } }),
    );

    const page = await inActivity(() => activities.listSshKeyPage({ offset: 2, limit: 2 }));

    expect(page.count).toBe(12);
    expect(page.keys.map(({ id, name }) => [id, name])).toEqual([
      [3, 'key-3'],
      [4, 'key-4'],
    ]);
    expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
      '/storage/v4/ssh_keys?offset=2&limit=2&order_by=created_at.asc',
    ]);
  });

  it('filters by a part of the name', async () => {
    const { activities, requests } = answering([]);

    await inActivity(() => activities.listSshKeyPage({ ...ALL, name: 'in gest&' }));

    expect(requests[0]?.url.searchParams.get('name')).toBe('in gest&');
  });

  it.each(['2026-07-13T16:41:35Z', '2026-07-13 16:41:35+00:00', '2026-07-13 18:41:35+02:00'])(
    'understands a time of the form %s',
    async (created_at) => {
      const { activities } = answering([wireKey({ created_at })]);

      const { keys } = await inActivity(() => activities.listSshKeyPage(ALL));

      expect(keys[0]?.createdAt).toBe('2026-07-13T16:41:35.000Z');
    },
  );

  it('refuses a key of 250 kB, and never passes a part of the list for the whole', async () => {
    const large = wireKey({ public_key: 'A'.repeat(250_000) });
    const { activities } = answering(Array.from({ length: 10 }, (_, id) => ({ ...large, id })));

    const { type } = await failureIn(() => activities.listSshKeyPage(ALL));

    expect(type).toBe('UnexpectedResponse');
  });

  it('returns only documented fields, whatever else a server sends', async () => {
    const { activities } = answering([wireKey({ private_key: 'canary', fingerprint: 'x' })]);

    const { keys } = await inActivity(() => activities.listSshKeyPage(ALL));

    expect(keys).toEqual([
      {
        id: 5,
        name: 'ingest',
        publicKey: PUBLIC_KEY,
        createdAt: '2026-07-13T16:41:35.000Z',
      },
    ]);
  });

  it('leaves keys that are too many for a history to the next page', async () => {
    const public_key = `ssh-rsa ${'A'.repeat(2_000)}`;
    const results = Array.from({ length: 1_000 }, (_, id) => wireKey({ id, public_key }));
    const { activities } = answering(results);

    const page = await inActivity(() => activities.listSshKeyPage(ALL));

    const { length } = JSON.stringify(page);
    expect(length).toBeGreaterThan(450_000);
    expect(length).toBeLessThan(512 * 1024);
    expect(page.count).toBe(1_000);
    expect(page.keys.map(({ id }) => id)).toEqual(page.keys.map((_, index) => index));
  });

  it.each<[number, unknown, string, RegExp]>([
    [401, { error: 'no token' }, 'Unauthorized', /no token/],
    [403, { error: 'not allowed' }, 'Unauthorized', /not allowed/],
    [400, { error: 'bad order_by' }, 'InvalidRequest', /bad order_by/],
    [503, {}, 'ServiceUnavailable', /503/],
    [200, { count: 1, results: [{ id: 1 }] }, 'UnexpectedResponse', /unknown form/],
  ])('fails on %i with its failure type', async (status, body, ...[type, message]) => {
    const { activities } = createScriptedApi(() => json(body, status));

    const failure = await failureIn(() => activities.listSshKeyPage(ALL));

    expect(failure.type).toBe(type);
    expect(failure.message).toMatch(message);
  });
});
