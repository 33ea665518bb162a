import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './api-text.js';
import { lenientArray, listEnvelope } from './common.js';
import { tagSchema } from './tags.js';

/** The fields of a volume that this product reads. Source: `GET /cloud/v1/volumes/{project_id}/{region_id}`. */
export const volumeSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema.nullish(),
  status: apiNameSchema,
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
  attachments: lenientArray(z.object({ server_id: apiIdSchema })),
  tags: lenientArray(tagSchema),
});
export const volumeListSchema = listEnvelope(volumeSchema);
