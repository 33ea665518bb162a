import { z } from 'zod';

import { lenientArray, listEnvelope, timestampSchema } from './common.js';

/** `created_resources`: missing, `null` and `[]` alike mean none. */
const createdResourcesSchema = z
  .object({
    instances: lenientArray(z.string()),
    volumes: lenientArray(z.string()),
    floatingips: lenientArray(z.string()),
    ddos_profiles: lenientArray(z.number().int()),
  })
  .nullish()
  .transform(
    (created) => created ?? { instances: [], volumes: [], floatingips: [], ddos_profiles: [] },
  );

/**
 * A task as far as this product reads it. `data` is left out on purpose: it echoes the request,
 * passwords included. `state` stays an open string, because an unknown state means "keep waiting".
 * Source: `GET /cloud/v1/tasks/{task_id}`.
 */
export const taskSchema = z.object({
  id: z.string(),
  task_type: z.string(),
  state: z.string(),
  created_on: timestampSchema.nullish(),
  finished_on: timestampSchema.nullish(),
  error: z.string().nullish(),
  created_resources: createdResourcesSchema,
});
export type Task = z.infer<typeof taskSchema>;

export const taskListSchema = listEnvelope(taskSchema);
