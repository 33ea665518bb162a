import { z } from 'zod';

import { kvStoreCommentSchema, kvStoreNameSchema } from '../api/fastedge.js';
import { kvStoreNameResource } from '../wire/names.js';
import { defineAccountChange } from './define-change.js';

export const createKvStore = defineAccountChange({
  guarantees:
    'Makes one KV store of the edge. It succeeds only when the list has the store that its call has made, or exactly one of this name, with this comment if you give one. It sends nothing when it has, and touches no store that is there.',
  page: 'kv-stores.md',
  shows: ['name'],
  changes: 'KV store',
  subjects: ({ name }) => [kvStoreNameResource(name)],
  foundBy: ['name'],
  blocks: ['QuotaExceeded'],
  says: 'make a KV store; verified',
  input: {
    name: kvStoreNameSchema.describe('name of the store'),
    comment: kvStoreCommentSchema
      .optional()
      .describe('what it is for; any comment counts when left out'),
  },
  result: {
    storeId: z.number().int().describe('id of the store, as modifyKvStore takes it'),
    name: z.string().describe('its name, as the API shows it'),
    created: z.boolean().describe('false when it was there before and nothing was sent'),
  },
  example: { name: 'redirects', comment: 'of the shop' },
  command: { word: 'create-kv-store', arguments: ['name'], options: ['comment'] },
  leaves: 'The store exists or not',
  done: ({ name, storeId }) => `KV store ${name} exists with the id ${storeId}`,
  undo: 'Run deleteKvStore to remove it.',
});
