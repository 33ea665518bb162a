import { z } from 'zod';

import { apiIdSchema, apiNameSchema } from './api-text.js';
import { lenientArray, listEnvelope } from './common.js';
import { tagSchema } from './tags.js';

/**
 * The fields of an instance that this product reads. `creator_task_id` links it to the create call;
 * `task_id` names the task that holds its lock.
 * Source: `GET /cloud/v1/instances/{project_id}/{region_id}/{instance_id}`.
 */
export const instanceSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  status: apiNameSchema,
  flavor: z.object({ flavor_id: apiNameSchema }).partial().nullish(),
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
  addresses: z
    .record(z.string(), z.array(z.object({ addr: apiNameSchema, type: apiNameSchema })))
    .nullish()
    .transform((addresses) => addresses ?? {}),
  volumes: lenientArray(z.object({ id: apiIdSchema, delete_on_termination: z.boolean() })),
  tags: lenientArray(tagSchema),
});
export type Instance = z.infer<typeof instanceSchema>;

export const instanceListSchema = listEnvelope(instanceSchema);
