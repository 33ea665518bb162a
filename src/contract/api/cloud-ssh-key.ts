import { z } from 'zod';

import { listEnvelope } from './common.js';

/**
 * A key of the cloud area, for `ssh_key_name` of instances. This product reads only its name.
 * Source: `GET /cloud/v1/ssh_keys/{project_id}`.
 */
export const cloudSshKeyListSchema = listEnvelope(z.object({ name: z.string() }));
