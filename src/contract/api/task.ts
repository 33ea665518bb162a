import { z } from 'zod';

import { lenientArray, listEnvelope, timestampSchema } from './common.js';

/** `created_resources`: a missing field, `null` and `[]` all mean none. */
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
 * The fields of a task that this product reads. It does not read `data`, which echoes the request with
 * its passwords. `state` stays an open text, because an unknown state means "keep waiting".
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
