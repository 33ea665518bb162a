import { z } from 'zod';

import { MAX_KEYS_PER_STORAGE, sshKeyNameSchema } from '../api/storage.js';
import { ledgerSchema } from '../documents.js';
import { sftpStorageResource } from '../wire/names.js';
import { accountInputShape, idSchema } from './common-input.js';
import { defineOperation, withRequestId } from './define-operation.js';

const keyNamesSchema = z
  .array(sshKeyNameSchema)
  .min(1, { error: 'needs at least one name' })
  .max(MAX_KEYS_PER_STORAGE, {
    error: `must have at most ${MAX_KEYS_PER_STORAGE} names: a storage accepts no more keys`,
  })
  .superRefine((names, context) => {
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      context.addIssue({ code: 'custom', path: [index], message: 'is already in the list' });
    });
  });

/**
 * Input of the workflow `grantSftpAccess`.
 *
 * @example
 * { storageId: 7, keyNames: ['ingest'] }
 */
export const grantSftpAccessInputSchema = z.strictObject({
  ...accountInputShape,
  onFailure: z
    .enum(['rollback', 'keep'])
    .optional()
    .describe(
      'when the run fails or is cancelled: unlink the keys that it linked (rollback, default), or keep them',
    ),
  storageId: idSchema.describe('id of the SFTP storage'),
  keyNames: keyNamesSchema.describe('names of keys of GET /storage/v4/ssh_keys'),
  projectId: idSchema
    .optional()
    .describe(
      'only to check whether a missing name is in the registry of instance keys; GCORE_CLOUD_PROJECT_ID of the worker when left out',
    ),
});

const grantedKeySchema = z.object({
  id: z.number().int().describe('id of the key'),
  name: z.string().describe('name of the key'),
  linked: z.boolean().describe('true when this run linked it; false when it was linked before'),
});

/** Result of `grantSftpAccess`: what the storage shows, read after the last change. */
const grantSftpAccessResultSchema = z.object({
  storageId: z.number().int().describe('id of the SFTP storage'),
  storageName: z.string().describe('its name'),
  keys: z.array(grantedKeySchema).describe('the requested keys, in the order of the input'),
  changed: z.boolean().describe('false when every key was linked before and nothing was sent'),
  restored: z
    .array(z.number().int())
    .describe('ids of other keys that a late call of this run removed and the run linked again'),
  before: z.array(z.number().int()).describe('ids of all keys of the storage at the first look'),
  after: z.array(z.number().int()).describe('ids of all keys of the storage at the last look'),
  ledger: ledgerSchema,
});

export const grantSftpAccess = defineOperation({
  guarantees:
    'Links SSH keys to an SFTP storage, by name. It succeeds only when the storage is active and shows them all. It removes no key of others.',
  page: 'sftp.md',
  shows: ['storageId', 'keyNames'],
  failures: { always: ['ResourceBusy', 'UnexpectedResponse'] },
  input: grantSftpAccessInputSchema,
  result: grantSftpAccessResultSchema,
  example: { storageId: 7, keyNames: ['ingest', 'audit'] },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'now',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback' },
  subjects: ({ storageId, keyNames }) =>
    keyNames.map((name) => `${sftpStorageResource(storageId)}/key/${name}`),
  readsOnly: false,
  startAgain: withRequestId('grant-sftp', 'STORAGE', '--key', 'NAME'),
  whereToLook: () => 'The storage shows which keys are linked to it',
  leaves: {
    says: 'No key that it has linked is still linked, as far as it knows',
    next: 'nothing to do',
    undoes: true,
  },
  completedWork({ keys, storageId }) {
    const names = keys.filter(({ linked }) => linked).map(({ name }) => name);
    if (names.length === 0) {
      return {
        done: 'all keys were linked before',
        advice: 'Nothing to do: it changed nothing.',
      };
    }
    return {
      done: `it has linked ${names.join(', ')} to SFTP storage ${storageId}`,
      advice: 'Unlink the keys if you do not want them.',
    };
  },
});
