import { z } from 'zod';

import { listEnvelope, timestampSchema } from './cloud.js';
import { apiNameSchema } from './errors.js';

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
  location_name: apiNameSchema.optional(),
  has_password: z.boolean().optional(),
  ssh_key_ids: z
    .array(z.number().int())
    .nullable()
    .transform((ids) => ids ?? []),
});
/** Part of the login and of the address. Source: guide on SFTP storage; which letters are allowed is inferred. */
export const sftpStorageNameSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error:
    'must have 1 to 63 lower-case letters, digits or "-", and begin and end with a letter or digit',
});

/** A password in a body. Source: `POST /storage/v4/sftp_storages`. */
export const sftpPasswordSchema = z
  .string()
  .min(8, { error: 'must have at least 8 characters' })
  .max(63, { error: 'must have at most 63 characters' });
export type SftpStorage = z.infer<typeof sftpStorageSchema>;
export const sftpStorageListSchema = listEnvelope(sftpStorageSchema);
/** Where new storages can be made. Source: `GET /storage/v4/locations`. */
export const storageLocationListSchema = listEnvelope(
  z.object({ name: apiNameSchema, technical_name: apiNameSchema.optional() }),
);

/** An RSA key of 16,384 bits has 2,800 characters. */
const MAX_KEY_LENGTH = 20_000;

/**
 * A key of the storage area, for SFTP without a password. Source: `GET /storage/v4/ssh_keys`. Keys for
 * `ssh_key_name` of instances are in another registry: `/cloud/v1/ssh_keys`.
 */
export const sshKeySchema = z.object({
  id: z.number().int(),
  name: apiNameSchema,
  public_key: z.string().max(MAX_KEY_LENGTH),
  created_at: timestampSchema,
});

export type SshKey = z.infer<typeof sshKeySchema>;
export const sshKeyListSchema = listEnvelope(sshKeySchema);

/** The name of a key in a body. Source: guide on SFTP storage. */
export const sshKeyNameSchema = z.string().regex(/^[\w-]{1,128}$/, {
  error: 'must be the name of a key: 1 to 128 letters, digits, "_" or "-"',
});

/** A public key in a body: one line, as OpenSSH writes it. Source: guide on SFTP storage. */
export const publicKeySchema = z
  .string()
  .max(MAX_KEY_LENGTH, { error: `must have at most ${MAX_KEY_LENGTH} characters` })
  .regex(/^ssh-(?:rsa|ed25519) [A-Za-z0-9+/]+={0,3}(?: [^\r\n]*)?$/, {
    error: 'must be a public key in one line: ssh-rsa or ssh-ed25519, then the key',
  });
