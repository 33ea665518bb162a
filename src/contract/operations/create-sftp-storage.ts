import { z } from 'zod';

import { MAX_KEYS_PER_STORAGE, sftpStorageNameSchema } from '../api/storage.js';
import { secretRefSchema } from '../secret-ref-schema.js';
import { sftpStorageNameResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const createSftpStorage = defineAccountChange({
  guarantees:
    'Makes one SFTP storage. It succeeds only when the storage of this name is active, in this location, with these keys and with a password if you name one. It sends nothing when there is one, and touches no storage of this name that differs.',
  page: 'sftp.md',
  shows: ['name', 'location', 'sshKeyIds'],
  changes: 'SFTP storage',
  subjects: ({ name }) => [sftpStorageNameResource(name)],
  foundBy: ['name'],
  blocks: ['SecretUnavailable', 'QuotaExceeded'],
  says: 'make an SFTP storage; verified',
  input: {
    name: sftpStorageNameSchema.describe('name of the storage: each name once in an account'),
    location: z
      .string()
      .regex(/^[\w.-]{1,128}$/, { error: 'must be the name of a location, such as "s-region-1"' })
      .describe('where it is made, as `location_name` of the API'),
    password: secretRefSchema
      .optional()
      .describe('its password, as a secret that the worker has; none when left out'),
    sshKeyIds: z
      .array(idSchema)
      .max(MAX_KEYS_PER_STORAGE, { error: `must have at most ${MAX_KEYS_PER_STORAGE} keys` })
      .optional()
      .describe('ids of the keys that it accepts; none when left out'),
  },
  result: {
    storageId: z.number().int().describe('id of the storage'),
    name: z.string().describe('its name'),
    created: z.boolean().describe('false when it was there before and nothing was sent'),
    sshKeyIds: z.array(z.number().int()).describe('ids of the keys that it accepts'),
    hasPassword: z.boolean().describe('whether it accepts a password'),
  },
  example: { name: 'ingest', location: 's-region-1', sshKeyIds: [41] },
  command: {
    word: 'create-sftp-storage',
    arguments: ['name', 'location'],
    options: ['password', 'sshKeyIds'],
  },
  leaves: 'The storage exists or not',
  done: ({ name, storageId }) => `SFTP storage ${name} exists with the id ${storageId}`,
  undo: 'Delete the storage if you do not want it.',
});
