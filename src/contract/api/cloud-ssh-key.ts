import { z } from 'zod';

import { listEnvelope } from './common.js';

/**
 * A key of the cloud area, which instances take by `ssh_key_name`; its name is all that this product
 * reads of it. Source: `GET /cloud/v1/ssh_keys/{project_id}`.
 */
export const cloudSshKeyListSchema = listEnvelope(z.object({ name: z.string() }));
