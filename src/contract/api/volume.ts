import { z } from 'zod';

import { lenientArray, listEnvelope } from './common.js';
import { tagSchema } from './tags.js';

/** The fields of a volume that this product reads. Source: `GET /cloud/v1/volumes/{project_id}/{region_id}`. */
export const volumeSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  status: z.string(),
  creator_task_id: z.string().nullish(),
  task_id: z.string().nullish(),
  attachments: lenientArray(z.object({ server_id: z.string() })),
  tags: lenientArray(tagSchema),
});
export const volumeListSchema = listEnvelope(volumeSchema);
