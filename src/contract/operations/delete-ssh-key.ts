import { z } from 'zod';

import { sshKeyResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const deleteSshKey = defineAccountChange({
  guarantees:
    'Deletes one key of those that SFTP storages accept. It succeeds only when the API no longer has it, sends nothing when there is none, and refuses a key that a storage has: the API would unlink it, and its holder would lose the access.',
  page: 'ssh-keys.md',
  shows: ['keyId'],
  changes: 'SSH key',
  subjects: ({ keyId }) => [sshKeyResource(keyId)],
  failures: { blocks: ['RemovalBlocked'] },
  says: 'delete a key that no SFTP storage has; verified as gone',
  input: { keyId: idSchema.describe('id of the key, as listSshKeys gives it') },
  result: {
    keyId: z.number().int().describe('id of the key'),
    before: z
      .object({
        name: z.string().describe('its name'),
        publicKey: z.string().describe('as OpenSSH writes it'),
      })
      .nullable()
      .describe('the deleted key, in the form in which createSshKey makes it again; null: none'),
  },
  example: { keyId: 41 },
  command: { word: 'delete-ssh-key', arguments: ['keyId'] },
  leaves: 'The key exists or not',
  done: ({ keyId }) => `there is no key ${keyId} any more`,
  undo: 'Run createSshKey with `before` of the result to add it again.',
});
