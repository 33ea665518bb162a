import { z } from 'zod';

import { listEnvelope, timestampSchema } from './common.js';

/**
 * A key of the storage area, for SFTP without a password. Source: `GET /storage/v4/ssh_keys`. Not a
 * key of `/cloud/v1/ssh_keys`, which instances take by `ssh_key_name`.
 */
const sshKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  public_key: z.string(),
  created_at: timestampSchema,
});

export const sshKeyListSchema = listEnvelope(sshKeySchema);
