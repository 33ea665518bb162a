import { z } from 'zod';

import { listEnvelope, timestampSchema } from './common.js';

/**
 * A key of the storage area, for SFTP without a password. Source: `GET /storage/v4/ssh_keys`. Keys for
 * `ssh_key_name` of instances are in another registry: `/cloud/v1/ssh_keys`.
 */
const sshKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  public_key: z.string(),
  created_at: timestampSchema,
});

export const sshKeyListSchema = listEnvelope(sshKeySchema);
