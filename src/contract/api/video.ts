import { z } from 'zod';

import { apiNameSchema } from './api-text.js';
import { timestampSchema } from './common.js';

/**
 * The fields of a video that this product reads. Only the id is sure to exist, so all other fields are
 * optional. `status` stays an open text, because an unknown status means "not done yet".
 * Source: OpenAPI `videoListItem`, `videoDetails`.
 */
export const videoSchema = z.object({
  id: z.number().int(),
  name: z.string().nullish().catch(undefined),
  origin_url: z.string().nullish().catch(undefined),
  client_user_id: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .nullish()
    .catch(undefined),
  status: apiNameSchema.nullish().catch(undefined),
  // Not cut here: secrets are removed first, and the whole text tells the cause.
  error: z.string().nullish().catch(undefined),
  created_at: timestampSchema.nullish().catch(undefined),
});
export type Video = z.infer<typeof videoSchema>;

/** Lists of the streaming area are bare arrays, and so is the answer of the batch. */
export const videoListSchema = z.array(videoSchema);
