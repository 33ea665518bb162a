import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './api-text.js';

/**
 * The fields of an image that this product reads. `min_disk` is in GiB, `min_ram` in MiB; `os_type` is
 * `linux` or `windows`. Source: `GET /cloud/v1/images/{project_id}/{region_id}/{image_id}`.
 */
export const imageSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  os_type: apiNameSchema.nullish(),
  min_disk: z.number().nullish(),
  min_ram: z.number().nullish(),
});
