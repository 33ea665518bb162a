import { z } from 'zod';

/** A store. `revision` is missing where the data lie in a database of the user's own (BYOD). */
export const kvStoreSchema = z.object({
  name: z.string(),
  size: z.number(),
  revision: z.number().nullish(),
  byod: z.unknown().optional(),
});

/** Answer of `PUT /fastedge/v1/kv/{store_id}/data`. For sets and filters members are counted. */
export const kvWrittenSchema = z.object({
  write_count: z.number(),
  del_count: z.number(),
  write_size: z.number(),
  store_size: z.number(),
  revision: z.number().nullish(),
});

/** What a key holds, as far as the API shows it: long values as a hash, masked ones not at all. */
const shownValueSchema = z.object({
  value: z.string().optional(),
  encoding: z.string().optional(),
  score: z.number().nullish(),
  expiry: z.string().nullish(),
});
export type ShownValue = z.infer<typeof shownValueSchema>;

/** Answer of `GET /fastedge/v1/kv/{store_id}/data/{key}`: an object for a plain key, a page for a set. */
export const kvEntrySchema = z.object({
  key: z.string(),
  datatype: z.string(),
  payload: z.union([z.array(shownValueSchema), shownValueSchema]).nullish(),
  count: z.number().nullish(),
});
