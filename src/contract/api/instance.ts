import { z } from 'zod';

import { lenientArray, listEnvelope } from './common.js';
import { tagSchema } from './tags.js';

/**
 * The fields of an instance that this product reads. `creator_task_id` links it to the create call;
 * `task_id` names the task that holds its lock.
 * Source: `GET /cloud/v1/instances/{project_id}/{region_id}/{instance_id}`.
 */
export const instanceSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  flavor: z.object({ flavor_id: z.string() }).partial().nullish(),
  creator_task_id: z.string().nullish(),
  task_id: z.string().nullish(),
  addresses: z
    .record(z.string(), z.array(z.object({ addr: z.string(), type: z.string() })))
    .nullish()
    .transform((addresses) => addresses ?? {}),
  volumes: lenientArray(z.object({ id: z.string(), delete_on_termination: z.boolean() })),
  tags: lenientArray(tagSchema),
});
export type Instance = z.infer<typeof instanceSchema>;

export const instanceListSchema = listEnvelope(instanceSchema);
