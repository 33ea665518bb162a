import { z } from 'zod';

import { commonInputShape } from './common-input.js';

/** The longest name that a key may have (guide on SFTP storage). */
const LONGEST_NAME = 128;

/**
 * Input of the workflow `listSshKeys`. Keys of the storage area belong to the account, not to a
 * project, and nothing is made that could be rolled back: there is no `projectId` and no `onFailure`.
 *
 * @example
 * { name: 'ingest' }
 */
export const listSshKeysInputSchema = z.strictObject({
  account: commonInputShape.account,
  onBlocked: commonInputShape.onBlocked,
  deadline: commonInputShape.deadline,
  planOnly: commonInputShape.planOnly,
  name: z
    .string()
    .min(1, { error: 'must not be empty: leave it out to list all keys' })
    .max(LONGEST_NAME, { error: `must have at most ${LONGEST_NAME} characters, as names do` })
    .optional()
    .describe('only keys whose name has this in it, in capitals or not'),
});
export type ListSshKeysInput = z.infer<typeof listSshKeysInputSchema>;

const listedSshKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  publicKey: z.string(),
  createdAt: z.string().describe('ISO 8601 in UTC'),
});

/** Result of `listSshKeys`: every key that was there all the time while the list was read, each once. */
export const listSshKeysResultSchema = z.object({
  keys: z.array(listedSshKeySchema).describe('the oldest first'),
  count: z.number().int().describe('of the keys in this result'),
});
export type ListSshKeysResult = z.infer<typeof listSshKeysResultSchema>;
