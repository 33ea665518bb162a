import { z } from 'zod';

import { timestampSchema } from './common.js';

/**
 * A video as far as this product reads it. No field but the id is sure to be there, so all others
 * are read leniently; `status` stays an open text, because an unknown one means "not done yet".
 * Source: OpenAPI `videoListItem`, `videoDetails`.
 */
export const videoSchema = z.object({
  id: z.number().int(),
  name: z.string().nullish().catch(undefined),
  origin_url: z.string().nullish().catch(undefined),
  client_user_id: z.number().nullish().catch(undefined),
  status: z.string().nullish().catch(undefined),
  error: z.string().nullish().catch(undefined),
  created_at: timestampSchema.nullish().catch(undefined),
});
export type Video = z.infer<typeof videoSchema>;

/** Lists of the streaming area are bare arrays, the answer of the batch too. */
export const videoListSchema = z.array(videoSchema);
