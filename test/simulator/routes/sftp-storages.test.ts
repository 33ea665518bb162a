import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { stateWithStorages, STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
import { KEYS_PATH, manyKeys } from '../../support/worlds/ssh-keys.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const ONE = `${STORAGES_PATH}/7`;

function passwordOf(body: unknown): string {
  return z.object({ password: z.string().min(8) }).parse(body).password;
}

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
    ['a password without its mode', { password: 'long enough' }, /password_mode "set"/],
    ['a mode without its password', { password_mode: 'set' }, /password: is required/],
    ['a short password', { password_mode: 'set', password: '1234567' }, /password/],
    ['a password for no password', { password_mode: 'none', password: '12345678' }, /password/],
    ['a time of expiry that is none', { expires: 'soon' }, /2 years 6 months/],
    ['an unknown field', { location_name: 's-region-2' }, /location_name/],
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

  const films = { location_name: 's-region-1', name: 'films', password_mode: 'none' };

  it('answers a password once, when it was made or set, and keeps none', async () => {
    const cloud = createCloud();

    const made = await cloud.send('POST', STORAGES_PATH, { ...films, password_mode: 'auto' });
    const other = { ...films, name: 'b', password_mode: 'set', sftp_password: 'my password' };
    const set = await cloud.send('POST', STORAGES_PATH, other);
    const reset = await cloud.send('PATCH', `${STORAGES_PATH}/1`, { password_mode: 'auto' });
    const none = await cloud.send('POST', STORAGES_PATH, { ...films, name: 'c' });
    const { body } = await cloud.send('GET', STORAGES_PATH);

    const passwords = [made, set, reset].map(({ body: answer }) => passwordOf(answer));
    expect(new Set(passwords).size).toBe(3);
    expect(passwordOf(set.body)).toBe('my password');
    expect(none.body).not.toHaveProperty('password');
    const kept = JSON.stringify([body, cloud.simulator.snapshot()]);
    expect(passwords.filter((password) => kept.includes(password))).toEqual([]);
    expect(body).toMatchObject({
      results: [{ has_password: false }, { has_password: true }, { has_password: true }],
    });
  });

  it('loses its password, its duration and its alias', async () => {
    const cloud = createCloud();
    const options = {
      expires: '2 years 6 months',
      server_alias: 'films.example',
      is_http_disabled: true,
      has_custom_config_file: true,
    };
    const body = { ...films, ...options, password_mode: 'auto' };

    expect(await cloud.send('POST', STORAGES_PATH, body)).toMatchObject({ body: options });
    await cloud.send('PATCH', `${STORAGES_PATH}/1`, { is_http_disabled: false });
    const cleared = { password_mode: 'none', expires: '', server_alias: '' };
    await cloud.send('PATCH', `${STORAGES_PATH}/1`, cleared);

    expect(await cloud.send('GET', `${STORAGES_PATH}/1`)).toMatchObject({
      body: {
        has_password: false,
        expires: null,
        server_alias: null,
        is_http_disabled: false,
        has_custom_config_file: true,
      },
    });
  });

  it.each([
    ['in a place that has none', { location_name: 's-ed1' }, 400],
    ['without a mode of its password', { password_mode: undefined }, 400],
    ['under the name of another one', { name: 'storage-7' }, 409],
  ])('is not made %s', async (_, change, status) => {
    const answer = await createStorage().send('POST', STORAGES_PATH, { ...films, ...change });

    expect(answer).toEqual({ status, body: { error: expect.any(String) } });
  });

  it('is not changed while it is deleted', async () => {
    const cloud = createStorage();
    await cloud.send('DELETE', ONE);

    expect(await cloud.send('PATCH', ONE, { ssh_key_ids: [] })).toMatchObject({ status: 409 });
    const before = cloud.simulator.snapshot();
    expect(await cloud.send('DELETE', ONE)).toMatchObject({ status: 204 });
    expect(cloud.simulator.snapshot()).toEqual(before);
    cloud.settle();
    expect(await cloud.send('PATCH', ONE, { ssh_key_ids: [] })).toMatchObject({ status: 404 });
  });

  it.each([
    ['', [3, 2, 1]],
    ['?id=3', [2]],
    ['?name=fi', [3, 1]],
    ['?location_name=s-region-2', [2]],
    ['?order_by=name.asc', [3, 1, 2]],
    ['?order_by=created_at.asc', [1, 2, 3]],
    ['?show_deleted=true', [5, 3, 2, 1]],
    ['?provisioning_status=active', [3, 1]],
    ['?provisioning_status=updating', [2]],
    ['?provisioning_status=deleted', []],
    ['?provisioning_status=deleted&show_deleted=true', [5]],
    ['?limit=1&offset=1', [2]],
  ])('is listed by %s', async (query, ids) => {
    const cloud = createCloud();
    for (const change of [{}, { name: 'www', location_name: 's-region-2' }, { name: 'a-fi' }]) {
      await cloud.send('POST', STORAGES_PATH, { ...films, ...change });
    }
    await cloud.send('POST', STORAGES_PATH, { ...films, name: 'gone' });
    const made = z.object({ results: z.array(z.object({ id: z.number() })) });
    const idsOf = async (path: string) =>
      made.parse((await cloud.send('GET', path)).body).results.map(({ id }) => id);
    const [gone, third, second, first] = await idsOf(STORAGES_PATH);
    await cloud.send('DELETE', `${STORAGES_PATH}/${gone}`);
    cloud.settle();
    await cloud.send('PATCH', `${STORAGES_PATH}/${second}`, {});
    const order = [0, first, second, third, 0, gone];

    expect((await idsOf(STORAGES_PATH + query)).map((id) => order.indexOf(id))).toEqual(ids);
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

describe('the places of storages', () => {
  it.each([
    ['', ['s-darz1', 's-ed1', 's-region-1', 's-region-2']],
    ['?type=sftp', ['s-region-1', 's-region-2']],
    ['?type=fast', ['s-darz1']],
    ['?type=standard', ['s-ed1']],
    ['?order_by=name.desc&limit=1', ['s-region-2']],
    ['?offset=3', ['s-region-2']],
  ])('are listed by %s', async (query, names) => {
    const { body } = await createCloud().send('GET', `/storage/v4/locations${query}`);

    expect(body).toMatchObject({ results: names.map((name) => ({ name })) });
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
    const newestFirst = names.map((name) => ({ name, project_id: 1 })).reverse();
    expect(all.body).toMatchObject({ results: newestFirst });
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
