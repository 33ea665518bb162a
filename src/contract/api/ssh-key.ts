import { z } from 'zod';

import { apiNameSchema } from './api-text.js';
import { listEnvelope, timestampSchema } from './common.js';

/** An RSA key of 16,384 bits has 2,800 characters. */
const MAX_KEY_LENGTH = 20_000;

/**
 * A key of the storage area, for SFTP without a password. Source: `GET /storage/v4/ssh_keys`. Keys for
 * `ssh_key_name` of instances are in another registry: `/cloud/v1/ssh_keys`.
 */
const sshKeySchema = z.object({
  id: z.number().int(),
  name: apiNameSchema,
  public_key: z.string().max(MAX_KEY_LENGTH),
  created_at: timestampSchema,
});

export const sshKeyListSchema = listEnvelope(sshKeySchema);
