import { z } from 'zod';

import { listEnvelope } from './common.js';

/**
 * The fields of a floating IP that this product reads.
 * Source: `GET /cloud/v1/floatingips/{project_id}/{region_id}`.
 */
export const floatingIpSchema = z.object({
  id: z.string(),
  floating_ip_address: z.string().nullish(),
  status: z.string().nullish(),
  port_id: z.string().nullish(),
  instance: z.object({ id: z.string() }).nullish(),
  creator_task_id: z.string().nullish(),
  task_id: z.string().nullish(),
});
export type FloatingIp = z.infer<typeof floatingIpSchema>;

export const floatingIpListSchema = listEnvelope(floatingIpSchema);
