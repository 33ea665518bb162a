import { z } from 'zod';

import { durationSchema } from '../duration.js';

export const idSchema = z
  .number()
  .refine((id) => Number.isSafeInteger(id) && id > 0, { error: 'must be a whole number above 0' });

/** Fields that every workflow input has. Project and region default to the worker's configuration. */
export const commonInputShape = {
  account: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, {
      error: 'must be the name of an account of the worker: lower-case letters, digits, "-"',
    })
    .optional()
    .describe('which API key to use, by name; "default" when left out'),
  projectId: idSchema.optional().describe('GCORE_CLOUD_PROJECT_ID of the worker when left out'),
  regionId: idSchema.optional().describe('GCORE_CLOUD_REGION_ID of the worker when left out'),
  onFailure: z
    .enum(['rollback', 'keep'])
    .optional()
    .describe('what happens to created resources when the run fails or is cancelled'),
  onBlocked: z
    .enum(['wait', 'fail'])
    .optional()
    .describe(
      'when a person has to mend something first (a revoked key, a quota, capacity): wait for it (default), or fail at once',
    ),
  planOnly: z
    .boolean()
    .optional()
    .describe('true: nothing is changed; the result is a plan of what the run would do'),
  deadline: durationSchema
    .optional()
    .describe('the run fails as DeadlineExceeded when it takes longer, such as "30 minutes"'),
};
