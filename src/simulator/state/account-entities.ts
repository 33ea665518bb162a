import { z } from 'zod';
/** A key of the storage area: of the account, not of a project. Its id is a whole number as text. */
export const sshKeyEntitySchema = z.object({
  id: z.string().regex(/^\d+$/, { error: 'must be a whole number' }),
  name: z.string(),
  publicKey: z.string(),
  createdAt: z.number(),
});

export const sftpStorageEntitySchema = z.object({
  id: z.string().regex(/^\d+$/, { error: 'must be a whole number' }),
  name: z.string(),
  locationName: z.string(),
  sshKeyIds: z.array(z.number().int()),
  createdAt: z.number(),
  /** What is being done to it until `settledAt`; then it is active, or gone. */
  change: z.enum(['creating', 'updating', 'deleting']),
  settledAt: z.number(),
});

/** A key of the cloud area, of one project: another registry than that of the storage area. */
export const cloudSshKeyEntitySchema = z.object({
  id: z.string(),
  projectId: z.number().int(),
  name: z.string(),
  publicKey: z.string(),
  createdAt: z.number(),
});

/** A video of the streaming area, of the account too. `fate` is how it will end. */
export const videoEntitySchema = z.object({
  id: z.string().regex(/^\d+$/, { error: 'must be a whole number' }),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  originUrl: z.string().nullable(),
  clientUserId: z.number().nullable(),
  createdAt: z.number(),
  listedAt: z.number(),
  endsAt: z.number(),
  fate: z.enum(['ready', 'upload', 'not-found', 'forbidden', 'reset', 'broken', 'no-space']),
});

/** A store of the FastEdge area. Its id is a whole number as text. */
export const kvStoreEntitySchema = z.object({
  id: z.string().regex(/^\d+$/, { error: 'must be a whole number' }),
  name: z.string(),
  comment: z.string(),
  byod: z.object({ url: z.string(), prefix: z.string() }).nullable(),
  revision: z.number().int(),
  updatedAt: z.number(),
});

/** A key of a store. A plain key has one value, a set or a filter has its members. */
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

export type SshKeyEntity = z.infer<typeof sshKeyEntitySchema>;
export type SftpStorageEntity = z.infer<typeof sftpStorageEntitySchema>;
export type CloudSshKeyEntity = z.infer<typeof cloudSshKeyEntitySchema>;
export type VideoEntity = z.infer<typeof videoEntitySchema>;
export type KvStoreEntity = z.infer<typeof kvStoreEntitySchema>;
export type KvEntryEntity = z.infer<typeof kvEntryEntitySchema>;
