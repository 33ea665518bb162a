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
    .describe('only keys whose name contains this text; case does not matter'),
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
    .describe('each with id, name, public key and time of creation; oldest first'),
  count: z.number().int().describe('number of keys in this result'),
});

export const listSshKeys = defineOperation({
  guarantees:
    'Lists all SSH keys that SFTP storages accept, each once, the oldest first. It changes nothing at the API.',
  page: 'ssh-keys.md',
  failures: { always: ['ResultTooLarge', 'UnexpectedResponse'] },
  input: listSshKeysInputSchema,
  result: listSshKeysResultSchema,
  example: { name: 'ingest' },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  readsOnly: true,
  startAgain: () => ['ssh-keys'],
  whereToLook: () => 'It only reads: there is nothing to look for',
  leaves: { says: 'It only reads: nothing was changed', next: 'nothing to do' },
  completedWork: ({ count }) => ({
    done: `it has read ${count} keys`,
    advice: 'Nothing to do: it only reads.',
  }),
});
