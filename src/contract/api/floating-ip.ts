import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './api-text.js';
import { listEnvelope } from './common.js';

/**
 * The fields of a floating IP that this product reads.
 * Source: `GET /cloud/v1/floatingips/{project_id}/{region_id}`.
 */
export const floatingIpSchema = z.object({
  id: apiIdSchema,
  floating_ip_address: apiNameSchema.nullish(),
  status: apiNameSchema.nullish(),
  port_id: apiIdSchema.nullish(),
  instance: z.object({ id: apiIdSchema }).nullish(),
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
});
export type FloatingIp = z.infer<typeof floatingIpSchema>;

export const floatingIpListSchema = listEnvelope(floatingIpSchema);
