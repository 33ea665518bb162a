import { z } from 'zod';

import { secretRefSchema } from '../secret-ref-schema.js';
import { sftpStorageResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const rotateSftpPassword = defineAccountChange({
  guarantees:
    'Sets the password of one SFTP storage to a secret that the worker has. It succeeds only when the API has accepted it and shows that the storage has a password. The password stands in no input, history, log or failure, and the API shows none: whether it was the same before, nobody can tell.',
  page: 'sftp.md',
  shows: ['storageId'],
  changes: 'SFTP storage',
  subjects: ({ storageId }) => [sftpStorageResource(storageId)],
  blocks: ['SecretUnavailable'],
  says: 'set an SFTP password from a secret',
  input: {
    storageId: idSchema.describe('id of the SFTP storage'),
    password: secretRefSchema.describe('the password, as a secret that the worker has'),
  },
  result: {
    storageId: z.number().int().describe('id of the storage'),
    name: z.string().describe('its name'),
    hadPassword: z.boolean().describe('whether it had a password before'),
  },
  example: { storageId: 7, password: { $secret: 'ingest-sftp' } },
  command: { word: 'rotate-sftp', arguments: ['storageId', 'password'] },
  leaves: 'The storage has its old password or the new one',
  done: ({ storageId }) => `SFTP storage ${storageId} has the new password`,
  undo: 'Start another run with the secret of the old password to set that again.',
});
