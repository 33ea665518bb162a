import { z } from 'zod';

import { apiNameSchema } from './api-text.js';

/** Source: guide on SFTP storage. */
export const MAX_KEYS_PER_STORAGE = 5;

/**
 * The fields of an SFTP storage that this product reads. `ssh_key_ids` is required: a change sends the
 * whole list, so a list that is wrongly read as empty would remove every key. `provisioning_status`
 * stays an open text; known values are `creating`, `active`, `updating`, `deleting` and `deleted`.
 * Source: `GET /storage/v4/sftp_storages/{storage_id}`.
 */
export const sftpStorageSchema = z.object({
  id: z.number().int(),
  name: apiNameSchema,
  provisioning_status: apiNameSchema,
  ssh_key_ids: z
    .array(z.number().int())
    .nullable()
    .transform((ids) => ids ?? []),
});
export type SftpStorage = z.infer<typeof sftpStorageSchema>;
