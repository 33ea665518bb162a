import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './errors.js';
import { lenientArray, listEnvelope, tagSchema, timestampSchema } from './cloud.js';

/** The fields of a volume that this product reads. Source: `GET /cloud/v1/volumes/{project_id}/{region_id}`. */
export const volumeSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema.nullish(),
  status: apiNameSchema,
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
  /** In GiB. */
  size: z.number().nullish(),
  volume_type: apiNameSchema.nullish(),
  is_root_volume: z.boolean().nullish(),
  /** Null or missing: the answer does not say whether it has any. */
  snapshot_ids: z.array(apiIdSchema).nullish(),
  volume_image_metadata: z.object({ image_id: apiIdSchema.nullish() }).nullish(),
  /** Null or missing, as is a `server_id`: the answer does not say it. */
  attachments: z.array(z.object({ server_id: apiIdSchema.nullish() })).nullish(),
  tags: lenientArray(tagSchema),
});
export type Volume = z.infer<typeof volumeSchema>;
export const volumeListSchema = listEnvelope(volumeSchema);

/** The fields of a snapshot that this product reads. Source: `GET /cloud/v1/snapshots/{project_id}/{region_id}`. */
export const snapshotSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema.nullish(),
  status: apiNameSchema,
  volume_id: apiIdSchema,
  created_at: timestampSchema,
  /** In GiB. */
  size: z.number().nullish(),
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
  tags: lenientArray(tagSchema),
});
export const snapshotListSchema = listEnvelope(snapshotSchema);
