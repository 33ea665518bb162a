import { z } from 'zod';

import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { kvStoreCommentSchema, kvStoreNameSchema } from '../api/fastedge.js';
import { kvStoreResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

const rule = crossFieldRule(z.object({ name: z.unknown(), comment: z.unknown() }).partial());

const textsSchema = z.object({
  name: z.string().describe('its name'),
  comment: z.string().describe('its comment; what is longer than 2,000 bytes is cut'),
});

export const replaceKvStore = defineAccountChange({
  guarantees:
    'Sets the name or the comment of one KV store of the edge, or both. It succeeds only when a read shows them. What is left out stays as it is, and so does the data. It refuses a store that has its data in a database of yours (BYOD).',
  page: 'kv-stores.md',
  shows: ['storeId', 'name', 'comment'],
  changes: 'KV store',
  subjects: ({ storeId }) => [kvStoreResource(storeId)],
  says: 'set the name or the comment of a KV store; verified',
  input: {
    storeId: idSchema.describe('id of the store, not its name'),
    name: kvStoreNameSchema.optional().describe('its new name; it stays when left out'),
    comment: kvStoreCommentSchema
      .optional()
      .describe('its new comment, "" for none; it stays when left out'),
  },
  rules: [
    rule('name', 'is missing: set "name", "comment" or both', ({ name, comment }) =>
      [name, comment].some((text) => text !== undefined),
    ),
  ],
  result: {
    storeId: z.number().int().describe('id of the store'),
    before: textsSchema.describe('as it was before the call'),
    after: textsSchema.describe('as it was read at the end'),
  },
  example: { storeId: 17, comment: 'of the old shop' },
  command: {
    word: 'replace-kv-store',
    arguments: ['storeId'],
    options: ['name', 'comment'],
  },
  leaves: 'The store has its name and comment of before, or the new ones',
  done: ({ storeId, after }) => `KV store ${storeId} has the name ${after.name}`,
  undo: 'Start another run with `before` of the result to set it back.',
});
