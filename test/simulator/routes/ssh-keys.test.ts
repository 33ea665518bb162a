import { describe, expect, it } from '@jest/globals';

import { sshKeyListSchema } from '../../../src/contract/api/storage.js';
import { KEYS_PATH, manyKeys, PUBLIC_KEY, stateWithKeys } from '../../support/worlds/ssh-keys.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const createKeys = (count: number) => createCloud({ state: stateWithKeys(manyKeys(count)) });

async function list(cloud: ReturnType<typeof createCloud>, query = '') {
  const { body } = await cloud.send('GET', `${KEYS_PATH}${query}`);
  const { count, results } = sshKeyListSchema.parse(body);
  return { count, ids: results.map(({ id }) => id) };
}

describe('the list of SSH keys', () => {
  it('shows ten keys by default, newest first, and counts all', async () => {
    const { count, ids } = await list(createKeys(12));

    expect([count, ids]).toEqual([12, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]]);
  });

  it.each([
    ['?order_by=created_at.asc&limit=2', [1, 2]],
    ['?order_by=created_at.asc&limit=2&offset=2', [3]],
    ['?order_by=created_at.asc&limit=2&offset=3', []],
    ['?order_by=name.desc', [3, 2, 1]],
    ['?order_by=name.asc', [1, 2, 3]],
    ['?limit=1000', [3, 2, 1]],
  ])('pages and sorts: %s', async (query, expected) => {
    expect(await list(createKeys(3), query)).toEqual({ count: 3, ids: expected });
  });

  it('filters by a part of the name and counts the matches', async () => {
    expect(await list(createKeys(12), '?name=ey-1&limit=3')).toEqual({
      count: 4,
      ids: [12, 11, 10],
    });
  });

  it('shows every documented field of a key', async () => {
    const { body } = await createKeys(1).send('GET', `${KEYS_PATH}/1`);

    expect(body).toEqual({
      id: 1,
      name: 'key-1',
      public_key: PUBLIC_KEY,
      created_at: '2026-01-01T00:00:00Z',
    });
  });

  it.each(['?limit=0', '?limit=1001', '?offset=-1', '?order_by=id.asc', '?page=2'])(
    'refuses %s with an error text alone',
    async (query) => {
      const answer = await createKeys(1).send('GET', KEYS_PATH + query);

      expect(answer).toEqual({ status: 400, body: { error: expect.any(String) } });
    },
  );

  it('refuses a wrong API key with only an error text', async () => {
    const cloud = createKeys(1);

    const answer = await cloud.sendAs(
      { authorization: 'apikey wrong' },
      { method: 'GET', path: KEYS_PATH },
    );

    expect(answer).toEqual({ status: 401, body: { error: 'Token is invalid or expired' } });
  });
});

describe('an SSH key', () => {
  const body = { name: 'ingest', public_key: PUBLIC_KEY };

  it('is created with 201 and shown by its id', async () => {
    const cloud = createCloud();

    const made = await cloud.send('POST', KEYS_PATH, body);

    expect(made).toMatchObject({ status: 201, body });
    expect(cloud.simulator.inventory().sshKeys).toEqual([made.body]);
  });

  it('is removed with 204 and then not found', async () => {
    const cloud = createKeys(2);

    const removed = await cloud.simulator.fetch(`https://api.simulator.test${KEYS_PATH}/1`, {
      method: 'DELETE',
      headers: { authorization: 'apikey simulator-key' },
    });

    expect(removed.status).toBe(204);
    expect(await cloud.send('GET', `${KEYS_PATH}/1`)).toMatchObject({ status: 404 });
    expect((await list(cloud)).ids).toEqual([2]);
  });

  it('never gets the id of another key, not even of a removed one', async () => {
    const cloud = createKeys(2);
    const first = await cloud.send('POST', KEYS_PATH, body);
    await cloud.simulator.fetch(`https://api.simulator.test${KEYS_PATH}/3`, {
      method: 'DELETE',
      headers: { authorization: 'apikey simulator-key' },
    });

    const second = await cloud.send('POST', KEYS_PATH, body);

    expect([first.body, second.body]).toMatchObject([{ id: 3 }, { id: 4 }]);
  });

  it('is refused under an existing name', async () => {
    const cloud = createCloud();
    await cloud.send('POST', KEYS_PATH, body);

    expect(await cloud.send('POST', KEYS_PATH, body)).toMatchObject({ status: 409 });
  });

  it.each([
    { ...body, name: 'with space' },
    { ...body, name: 'k'.repeat(129) },
    { ...body, public_key: 'ssh-dss AAAA' },
    { name: 'ingest' },
  ])('is refused with a fault: %j', async (faulty) => {
    expect(await createCloud().send('POST', KEYS_PATH, faulty)).toMatchObject({ status: 400 });
  });

  it('is part of a snapshot', () => {
    const state = stateWithKeys(manyKeys(2));

    const restored = createCloud({ state }).simulator.snapshot();

    expect(restored.sshKeys).toEqual(state.sshKeys);
  });
});
