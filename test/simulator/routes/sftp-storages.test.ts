import { describe, expect, it } from '@jest/globals';

import { stateWithStorages, STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
import { KEYS_PATH, manyKeys } from '../../support/worlds/ssh-keys.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const ONE = `${STORAGES_PATH}/7`;

function createStorage(sshKeyIds: number[] = [1]) {
  return createCloud({ state: stateWithStorages(manyKeys(8), [{ id: 7, sshKeyIds }]) });
}

describe('an SFTP storage', () => {
  it('is creating first and then active', async () => {
    const cloud = createStorage();
    const body = { location_name: 's-region-1', name: 'films', password_mode: 'none' };

    const made = await cloud.send('POST', STORAGES_PATH, { ...body, ssh_key_ids: [1] });
    cloud.settle();

    expect(made).toMatchObject({
      status: 201,
      body: { name: 'films', provisioning_status: 'creating', ssh_key_ids: [1] },
    });
    expect(cloud.simulator.inventory().sftpStorages).toMatchObject([
      { id: 7 },
      { name: 'films', provisioning_status: 'active' },
    ]);
  });

  it('replaces the whole list of keys and is updating meanwhile', async () => {
    const cloud = createStorage([1, 2]);

    const patched = await cloud.send('PATCH', ONE, { ssh_key_ids: [3] });
    const meanwhile = await cloud.send('GET', ONE);
    cloud.settle();

    const body = { id: 7, ssh_key_ids: [3], provisioning_status: 'updating' };
    expect([patched, meanwhile]).toMatchObject([
      { status: 200, body },
      { status: 200, body },
    ]);
    expect(await cloud.send('GET', ONE)).toMatchObject({
      body: { ...body, provisioning_status: 'active' },
    });
  });

  it('keeps fields that a patch does not contain', async () => {
    const cloud = createStorage([1, 2]);

    expect(await cloud.send('PATCH', ONE, {})).toMatchObject({ body: { ssh_key_ids: [1, 2] } });
  });

  it.each([
    ['more than five keys', { ssh_key_ids: [1, 2, 3, 4, 5, 6] }, /at most 5 keys/],
    ['a key that there is not', { ssh_key_ids: [1, 99] }, /ssh_key_ids/],
    ['a field that is not built', { server_alias: 'x' }, /server_alias/],
    ['text instead of ids', { ssh_key_ids: ['1'] }, /ssh_key_ids/],
  ])('is not changed by %s; the error has only a text', async (_, body, message) => {
    const cloud = createStorage();

    const answer = await cloud.send('PATCH', ONE, body);

    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(message) } });
    expect(cloud.simulator.inventory().sftpStorages).toMatchObject([{ ssh_key_ids: [1] }]);
  });

  it('loses the link to a removed key', async () => {
    const cloud = createStorage([1, 2]);

    await cloud.simulator.fetch(`https://api.simulator.test${KEYS_PATH}/1`, {
      method: 'DELETE',
      headers: { authorization: 'apikey simulator-key' },
    });

    expect(cloud.simulator.inventory().sftpStorages).toMatchObject([{ ssh_key_ids: [2] }]);
  });

  it('is deleting first and then not found', async () => {
    const cloud = createStorage();

    const deleted = await cloud.simulator.fetch(`https://api.simulator.test${ONE}`, {
      method: 'DELETE',
      headers: { authorization: 'apikey simulator-key' },
    });
    const meanwhile = await cloud.send('GET', ONE);
    cloud.settle();

    expect(deleted.status).toBe(204);
    expect(meanwhile).toMatchObject({ body: { provisioning_status: 'deleting' } });
    expect(await cloud.send('GET', ONE)).toEqual({
      status: 404,
      body: { error: expect.any(String) },
    });
  });

  it('is listed in pages of ten', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => ({ id: index + 1 }));
    const cloud = createCloud({ state: stateWithStorages([], ids) });

    const { body } = await cloud.send('GET', STORAGES_PATH);

    expect(body).toMatchObject({ count: 12, results: { length: 10 } });
  });

  it('is part of a snapshot', () => {
    const state = stateWithStorages([], [{ id: 7 }]);

    const restored = createCloud({ state }).simulator.snapshot();

    expect(restored.sftpStorages).toEqual(state.sftpStorages);
  });
});

describe('the keys of instances', () => {
  const KEYS = '/cloud/v1/ssh_keys/1';

  it('are a separate registry per project, in pages of ten', async () => {
    const cloud = createStorage();
    const names = Array.from({ length: 12 }, (_, index) => `admin-${index}`);
    for (const name of names) {
      await cloud.send('POST', KEYS, { name, public_key: 'ssh-ed25519 A' });
    }

    const first = await cloud.send('GET', KEYS);
    const all = await cloud.send('GET', `${KEYS}?limit=1000`);
    const other = await cloud.send('GET', '/cloud/v1/ssh_keys/2');

    expect(first.body).toMatchObject({ count: 12, results: { length: 10 } });
    expect(all.body).toMatchObject({ results: names.map((name) => ({ name, project_id: 1 })) });
    expect(other.body).toEqual({ count: 0, results: [] });
    expect(cloud.simulator.inventory().sshKeys).toHaveLength(8);
  });

  it('answer an unknown project with the error of the cloud area', async () => {
    expect(await createCloud().send('GET', '/cloud/v1/ssh_keys/99')).toMatchObject({
      status: 404,
      body: { exception_class: 'NotFoundError' },
    });
  });
});
