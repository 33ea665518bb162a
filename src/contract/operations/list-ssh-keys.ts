import { z } from 'zod';

import { accountInputShape } from './common-input.js';
import { defineOperation } from './define-operation.js';

/** Source: guide on SFTP storage. */
const MAX_NAME_LENGTH = 128;

/**
 * Input of the workflow `listSshKeys`. It has no `projectId`, because keys of the storage area belong
 * to the account, and no `onFailure`, because the run creates nothing.
 *
 * @example
 * { name: 'ingest' }
 */
export const listSshKeysInputSchema = z.strictObject({
  ...accountInputShape,
  name: z
    .string()
    .min(1, { error: 'must not be empty: leave it out to list all keys' })
    .max(MAX_NAME_LENGTH, {
      error: `must have at most ${MAX_NAME_LENGTH} characters: key names are not longer`,
    })
    .optional()
    .describe('only keys whose name contains this text; the API does not say whether case counts'),
  orderBy: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .optional()
    .describe('order of the keys; created_at.asc, the oldest first, when left out'),
  offset: z
    .number()
    .int()
    .min(0, { error: 'must be at least 0' })
    .optional()
    .describe('leave out this many keys at the beginning; none when left out'),
  limit: z
    .number()
    .int()
    .min(1, { error: 'must be at least 1' })
    .optional()
    .describe('give at most this many keys; all of them when left out'),
});

const listedSshKeySchema = z.object({
  id: z.number().int().describe('id of the key'),
  name: z.string().describe('name of the key'),
  publicKey: z.string().describe('as OpenSSH writes it'),
  createdAt: z.string().describe('ISO 8601 in UTC'),
});

/** Result of `listSshKeys`: every key that existed during the whole read, each once. */
export const listSshKeysResultSchema = z.object({
  keys: z
    .array(listedSshKeySchema)
    .describe('each with id, name, public key and time of creation, in the order of orderBy'),
  count: z.number().int().describe('number of keys in this result'),
  total: z
    .number()
    .int()
    .describe('number of keys with this name, also of those that limit left out'),
});

export const listSshKeys = defineOperation({
  guarantees:
    'Lists all SSH keys that SFTP storages accept, each once, in the order that you choose. It changes nothing at the API.',
  page: 'ssh-keys.md',
  shows: ['name', 'orderBy', 'offset', 'limit'],
  failures: { always: ['ResultTooLarge', 'UnexpectedResponse'] },
  input: listSshKeysInputSchema,
  result: listSshKeysResultSchema,
  example: { name: 'ingest' },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'now',
  requestId: 'from caller',
  subjects: () => [],
  readsOnly: true,
  startAgain: () => ['ssh-keys'],
  whereToLook: () => 'It only reads: there is nothing to look for',
  leaves: { says: 'It only reads: nothing was changed', next: 'nothing to do' },
  completedWork: ({ count }) => ({
    done: `it has read ${count} keys`,
    advice: 'Nothing to do: it only reads.',
  }),
});
