import { z } from 'zod';

import { apiIdSchema, apiNameSchema, firstIds } from './api-text.js';
import { lenientArray, listEnvelope, timestampSchema } from './common.js';

/** `created_resources`: a missing field, `null` and `[]` all mean none. */
const createdResourcesSchema = z
  .object({
    instances: firstIds(lenientArray(apiIdSchema)),
    volumes: firstIds(lenientArray(apiIdSchema)),
    floatingips: firstIds(lenientArray(apiIdSchema)),
    ddos_profiles: firstIds(lenientArray(z.number().int())),
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
  id: apiIdSchema,
  task_type: apiNameSchema,
  state: apiNameSchema,
  created_on: timestampSchema.nullish(),
  finished_on: timestampSchema.nullish(),
  // Not cut here: secrets are removed first, and the whole text tells the cause.
  error: z.string().nullish(),
  created_resources: createdResourcesSchema,
});
export type Task = z.infer<typeof taskSchema>;

export const taskListSchema = listEnvelope(taskSchema);
