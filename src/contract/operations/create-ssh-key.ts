import { z } from 'zod';

import { publicKeySchema, sshKeyNameSchema } from '../api/storage.js';
import { sshKeyNameResource } from '../wire/names.js';
import { defineAccountChange } from './define-change.js';

export const createSshKey = defineAccountChange({
  guarantees:
    'Adds one public key to those that SFTP storages accept. It succeeds only when the list has a key of this name with this public key, or what its call has added. It sends nothing when it has, and touches no key of this name with another public key.',
  page: 'ssh-keys.md',
  shows: ['name', 'publicKey'],
  changes: 'SSH key',
  subjects: ({ name }) => [sshKeyNameResource(name)],
  foundBy: ['name'],
  says: 'add a public key for SFTP storages; verified',
  input: {
    name: sshKeyNameSchema.describe('name of the key: each name once in an account'),
    publicKey: publicKeySchema.describe('the public key, as OpenSSH writes it'),
  },
  result: {
    keyId: z.number().int().describe('id of the key'),
    name: z.string().describe('its name'),
    created: z.boolean().describe('false when it was there before and nothing was sent'),
  },
  example: {
    name: 'ingest',
    publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFb3ZJ0m1h0YQ2xJkqVt7mB0uS1n5c6d7e8f9g0h1i2j',
  },
  command: { word: 'create-ssh-key', arguments: ['name', 'publicKey'] },
  leaves: 'The key exists or not',
  done: ({ name, keyId }) => `key ${name} exists with the id ${keyId}`,
  undo: 'Run deleteSshKey to remove it.',
});
