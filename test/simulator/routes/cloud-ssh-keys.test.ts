import { createPrivateKey, createPublicKey } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { parseSimulatorState } from '../../../src/simulator/index.js';
import { createCloud } from '../../support/worlds/simulated-cloud.js';

const KEYS = '/cloud/v1/ssh_keys/1';
/** The fingerprint is that of `ssh-keygen -l -E md5`. */
const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOKEk2tBDKb3uYNNgioGmdM1vlg5KS3OMAoakQuPhu5v me@here';
const FINGERPRINT = 'ed:1c:a2:9d:75:3d:af:00:27:62:99:c4:20:21:c1:ae';

const keySchema = z.object({ id: z.string(), public_key: z.string(), private_key: z.string() });

describe('a key for instances', () => {
  it('has the fingerprint of its public key, and is shared unless asked otherwise', async () => {
    const cloud = createCloud();

    const shared = await cloud.send('POST', KEYS, { name: 'own', public_key: PUBLIC_KEY });
    const { body } = await cloud.send('POST', KEYS, {
      name: 'alone',
      public_key: PUBLIC_KEY,
      shared_in_project: false,
    });
    const { id } = z.object({ id: z.string() }).parse(body);
    const patched = await cloud.send('PATCH', `${KEYS}/${id}`, { shared_in_project: true });

    expect(shared).toMatchObject({
      status: 201,
      body: {
        public_key: PUBLIC_KEY,
        private_key: null,
        fingerprint: FINGERPRINT,
        shared_in_project: true,
      },
    });
    expect(body).toMatchObject({ shared_in_project: false });
    expect(patched.body).toMatchObject({ id, shared_in_project: true });
  });

  it('is generated without a public key; only this answer has the private one', async () => {
    const cloud = createCloud();

    const { body } = await cloud.send('POST', KEYS, { name: 'generated' });
    const { id, private_key: privateKey, public_key: publicKey } = keySchema.parse(body);

    const [, ...lines] = privateKey.trimEnd().split('\n').slice(0, -1);
    const blob = Buffer.from(lines.join(''), 'base64');
    const point = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64').subarray(-32);
    // In the private part, the seed stands before the second copy of the point.
    const seedEnd = blob.lastIndexOf(point);
    expect(publicPointOf(blob.subarray(seedEnd - 32, seedEnd))).toEqual(point);
    const kept = JSON.stringify([
      (await cloud.send('GET', `${KEYS}/${id}`)).body,
      cloud.simulator.snapshot(),
      cloud.simulator.inventory(),
      cloud.simulator.requests,
    ]);
    expect(kept).toContain(publicKey);
    expect(kept).not.toMatch(/private_?key/i);
    expect(kept).not.toContain(lines[2]);
  });

  it.each([['no key'], ['ssh-ed25519'], [''], ['-----BEGIN OPENSSH PRIVATE KEY-----']])(
    'is not %j',
    async (text) => {
      expect(
        await createCloud().send('POST', KEYS, { name: 'wrong', public_key: text }),
      ).toMatchObject({
        status: 400,
        body: { invalid_fields: { public_key: [expect.any(String)] } },
      });
    },
  );

  it('of a state that does not say it is shared', async () => {
    const key = { id: 'k-1', projectId: 1, name: 'old', publicKey: PUBLIC_KEY, createdAt: 0 };
    const state = parseSimulatorState({ version: 1, cloudSshKeys: [key] });

    expect((await createCloud({ state }).send('GET', `${KEYS}/k-1`)).body).toMatchObject({
      shared_in_project: true,
      fingerprint: FINGERPRINT,
    });
  });

  it('belongs to one project, and is gone after its deletion', async () => {
    const cloud = createCloud();
    const { body } = await cloud.send('POST', KEYS, { name: 'own', public_key: PUBLIC_KEY });
    const { id } = z.object({ id: z.string() }).parse(body);

    const other = await cloud.send('GET', `/cloud/v1/ssh_keys/2/${id}`);
    const deleted = await cloud.send('DELETE', `${KEYS}/${id}`);

    expect([other.status, deleted.status]).toEqual([404, 204]);
    expect((await cloud.send('GET', `${KEYS}/${id}`)).status).toBe(404);
  });

  it.each([
    ['', ['b-2', 'a-1', 'b-1']],
    ['?order_by=created_at.asc', ['b-1', 'a-1', 'b-2']],
    ['?order_by=name.asc', ['a-1', 'b-1', 'b-2']],
    ['?name=-1', ['a-1', 'b-1']],
    ['?limit=1&offset=1', ['a-1']],
  ])('is listed by %j', async (query, names) => {
    const cloud = createCloud();
    for (const name of ['b-1', 'a-1', 'b-2']) {
      await cloud.send('POST', KEYS, { name, public_key: PUBLIC_KEY });
      cloud.advance(1_000);
    }

    expect((await cloud.send('GET', KEYS + query)).body).toMatchObject({
      results: names.map((name) => ({ name })),
    });
  });
});

/** The public point that belongs to the seed of an Ed25519 key. */
function publicPointOf(seed: Buffer): Buffer {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}
