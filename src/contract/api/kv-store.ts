import { z } from 'zod';

import { apiNameSchema } from './api-text.js';

/** A store. `revision` is missing when the data are in a database of the user (BYOD). */
export const kvStoreSchema = z.object({
  name: apiNameSchema,
  size: z.number(),
  revision: z.number().nullish(),
  byod: z.unknown().optional(),
});

/** Answer of `PUT /fastedge/v1/kv/{store_id}/data`. It counts members of sets and filters. */
export const kvWrittenSchema = z.object({
  write_count: z.number(),
  del_count: z.number(),
  write_size: z.number(),
  store_size: z.number(),
  revision: z.number().nullish(),
});

/** A value as the API shows it: a long value as a hash, a masked value not at all. */
const shownValueSchema = z.object({
  value: z.string().optional(),
  encoding: apiNameSchema.optional(),
  score: z.number().nullish(),
  expiry: apiNameSchema.nullish(),
});
export type ShownValue = z.infer<typeof shownValueSchema>;

/** Answer of `GET /fastedge/v1/kv/{store_id}/data/{key}`: an object for a plain key, a page for a set. */
export const kvEntrySchema = z.object({
  key: z.string(),
  datatype: apiNameSchema,
  payload: z.union([z.array(shownValueSchema), shownValueSchema]).nullish(),
  count: z.number().nullish(),
});
