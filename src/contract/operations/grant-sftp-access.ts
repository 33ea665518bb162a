import { z } from 'zod';

import { MOST_KEYS_PER_STORAGE } from '../api/sftp-storage.js';
import { stepStatusSchema } from '../status-document.js';
import { commonInputShape, idSchema } from './common-input.js';

const keyNameSchema = z.string().regex(/^[\w-]{1,128}$/, {
  error: 'must have 1 to 128 letters, digits, "_" or "-", as names of keys do',
});

/** Said of each name that stands further ahead too. */
const keyNamesSchema = z
  .array(keyNameSchema)
  .min(1, { error: 'needs at least one name' })
  .max(MOST_KEYS_PER_STORAGE, {
    error: `must have at most ${MOST_KEYS_PER_STORAGE} names: a storage takes no more keys`,
  })
  .superRefine((names, context) => {
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      context.addIssue({ code: 'custom', path: [index], message: 'stands in the list already' });
    });
  });

/**
 * Input of the workflow `grantSftpAccess`.
 *
 * @example
 * { storageId: 7, keyNames: ['ingest'] }
 */
export const grantSftpAccessInputSchema = z.strictObject({
  account: commonInputShape.account,
  onFailure: z
    .enum(['rollback', 'keep'])
    .optional()
    .describe('whether the keys that the run linked are unlinked when it fails or is cancelled'),
  onBlocked: commonInputShape.onBlocked,
  deadline: commonInputShape.deadline,
  planOnly: commonInputShape.planOnly,
  storageId: idSchema.describe('id of the SFTP storage'),
  keyNames: keyNamesSchema.describe('names of keys of GET /storage/v4/ssh_keys'),
  projectId: idSchema
    .optional()
    .describe(
      'only to tell whether a missing name is one of the other registry, that of instances; GCORE_CLOUD_PROJECT_ID of the worker when left out',
    ),
});
export type GrantSftpAccessInput = z.infer<typeof grantSftpAccessInputSchema>;

const grantedKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  linked: z.boolean().describe('by this run; false when it was linked before'),
});

/** Result of `grantSftpAccess`: what the storage shows, read after the last change. */
export const grantSftpAccessResultSchema = z.object({
  storageId: z.number().int(),
  storageName: z.string(),
  keys: z.array(grantedKeySchema).describe('those asked for, in the order of the input'),
  changed: z.boolean().describe('false when every key was linked before: nothing was sent'),
  restored: z
    .array(z.number().int())
    .describe('ids of keys of others that a late call of this run had removed, linked again'),
  before: z.array(z.number().int()).describe('ids of all keys of the storage at the first look'),
  after: z.array(z.number().int()).describe('ids of all keys of the storage at the last look'),
  ledger: z.array(stepStatusSchema),
});
export type GrantSftpAccessResult = z.infer<typeof grantSftpAccessResultSchema>;
