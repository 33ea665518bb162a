import { z } from 'zod';

import { createInstanceBodySchema } from '../api/create-instance-body.js';
import { stepStatusSchema } from '../status-document.js';
import { commonInputShape, idSchema } from './common-input.js';

/** Another place or size that the caller accepts when the API has no capacity for the first. */
const alternativeSchema = z
  .strictObject({
    flavor: z.string().min(1, { error: 'must not be empty' }).optional(),
    regionId: idSchema.optional(),
  })
  .refine(({ flavor, regionId }) => flavor !== undefined || regionId !== undefined, {
    error: 'needs "flavor", "regionId", or both',
  });
export type Alternative = z.infer<typeof alternativeSchema>;

const MOST_ALTERNATIVES = 20;

/**
 * Input of the workflow `provisionInstance`.
 *
 * @example
 * { projectId: 1, regionId: 1, instance: { flavor: 'g2-standard-2-4', interfaces: [{ type: 'external' }],
 *   volumes: [{ source: 'image', image_id: '…', size: 20, boot_index: 0 }] } }
 */
export const provisionInstanceInputSchema = z.strictObject({
  ...commonInputShape,
  instance: createInstanceBodySchema.describe('body of POST /cloud/v2/instances'),
  waitFor: z
    .enum(['task', 'active'])
    .optional()
    .describe('when to report success: task FINISHED, or the instance ACTIVE (default)'),
  alternatives: z
    .array(alternativeSchema)
    .max(MOST_ALTERNATIVES, { error: `must have at most ${MOST_ALTERNATIVES} entries` })
    .optional()
    .describe('tried in this order when the API has no capacity; what is left out stays as asked'),
});
export type ProvisionInstanceInput = z.infer<typeof provisionInstanceInputSchema>;

/** Result of `provisionInstance`: what now exists, verified. */
export const provisionInstanceResultSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  status: z.string(),
  flavor: z.string().optional(),
  regionId: z.number().optional().describe('where it was made: with alternatives, maybe another'),
  addresses: z.array(z.object({ network: z.string(), address: z.string(), type: z.string() })),
  taskIds: z.array(z.string()),
  adopted: z
    .boolean()
    .describe('true when an instance of an earlier try of this request was found and taken over'),
  ledger: z.array(stepStatusSchema),
});
export type ProvisionInstanceResult = z.infer<typeof provisionInstanceResultSchema>;
