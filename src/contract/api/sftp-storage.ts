import { z } from 'zod';

/** An SFTP storage takes no more keys than this (guide on SFTP storage). */
export const MOST_KEYS_PER_STORAGE = 5;

/**
 * An SFTP storage as far as this product reads it. `ssh_key_ids` must be there: a change sends the
 * whole list, so one that is read as empty by mistake would remove every key. `provisioning_status`
 * stays an open string; known are `creating`, `active`, `updating`, `deleting`, `deleted`.
 * Source: `GET /storage/v4/sftp_storages/{storage_id}`.
 */
export const sftpStorageSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  provisioning_status: z.string(),
  ssh_key_ids: z
    .array(z.number().int())
    .nullable()
    .transform((ids) => ids ?? []),
});
export type SftpStorage = z.infer<typeof sftpStorageSchema>;
