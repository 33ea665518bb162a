import { z } from 'zod';

import { kvStoreResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineAccountChange } from './define-change.js';

export const deleteKvStore = defineAccountChange({
  guarantees:
    'Deletes one KV store of the edge, with all its data. It succeeds only when the API no longer has it, sends nothing when there is none, and refuses a store that apps use.',
  page: 'kv-stores.md',
  shows: ['storeId'],
  changes: 'KV store',
  subjects: ({ storeId }) => [kvStoreResource(storeId)],
  failures: { blocks: ['RemovalBlocked'] },
  says: 'delete a KV store that no app uses, with its data; verified as gone',
  input: { storeId: idSchema.describe('id of the store, not its name') },
  result: {
    storeId: z.number().int().describe('id of the store'),
    before: z
      .object({
        name: z.string().describe('its name'),
        comment: z.string().describe('its comment; what is longer than 2,000 bytes is cut'),
        size: z.number().describe('of its data, in bytes; 0 for a BYOD store'),
      })
      .nullable()
      .describe('the deleted store, without its data; null: none'),
  },
  example: { storeId: 17 },
  command: { word: 'delete-kv-store', arguments: ['storeId'] },
  leaves: 'The store exists with its data, or not at all',
  done: ({ storeId }) => `there is no KV store ${storeId} any more`,
  undo: 'Nothing brings its data back. createKvStore makes an empty store with another id.',
});
