/** Rows that belong to the account, without a region: keys, storages, videos and KV stores. */
import { z } from 'zod';

/** An id of the API that is a number; the simulator stores it as text. */
export const numericIdSchema = z.string().regex(/^\d+$/, { error: 'must be a whole number' });

/** A key of the storage area. */
export const sshKeyEntitySchema = z.object({
  id: numericIdSchema,
  name: z.string(),
  publicKey: z.string(),
  createdAt: z.number(),
});

export const sftpStorageEntitySchema = z.object({
  id: numericIdSchema,
  name: z.string(),
  locationName: z.string(),
  sshKeyIds: z.array(z.number().int()),
  /** The password itself is kept nowhere. */
  hasPassword: z.boolean().default(false),
  expires: z.string().nullable().default(null),
  serverAlias: z.string().nullable().default(null),
  isHttpDisabled: z.boolean().default(false),
  hasCustomConfigFile: z.boolean().default(false),
  createdAt: z.number(),
  /** The change that runs until `settledAt`. After it the storage is active or deleted. */
  change: z.enum(['creating', 'updating', 'deleting']),
  settledAt: z.number(),
});

/** A key of the cloud area. It belongs to one project and is in another registry than storage keys. */
export const cloudSshKeyEntitySchema = z.object({
  id: z.string(),
  projectId: z.number().int(),
  name: z.string(),
  publicKey: z.string(),
  sharedInProject: z.boolean().default(true),
  createdAt: z.number(),
});

/** A KV store of the FastEdge area. */
export const kvStoreEntitySchema = z.object({
  id: numericIdSchema,
  name: z.string(),
  comment: z.string(),
  byod: z.object({ url: z.string(), prefix: z.string() }).nullable(),
  /** Apps that use the store: it cannot be removed meanwhile. Only a state brings them. */
  appIds: z.array(z.number().int()).default([]),
  revision: z.number().int(),
  updatedAt: z.number(),
});

/** An entry of a KV store. A plain key has one value; a set or a filter has its members. */
export const kvEntryEntitySchema = z.object({
  id: z.string(),
  storeId: z.string(),
  key: z.string(),
  datatype: z.enum(['kv', 'sorted_set', 'bloom_filter']),
  values: z.array(
    z.object({ value: z.string(), encoding: z.string(), score: z.number().nullable() }),
  ),
  expiresAt: z.number().nullable(),
});
