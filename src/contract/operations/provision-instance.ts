import { z } from 'zod';

import { protectionBodySchema } from '../api/ddos-profile-body.js';
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

const MAX_ALTERNATIVES = 20;

const inputShape = z.strictObject({
  ...commonInputShape,
  instance: createInstanceBodySchema.describe('body of POST /cloud/v2/instances'),
  waitFor: z
    .enum(['task', 'active'])
    .optional()
    .describe('when to report success: task FINISHED, or the instance ACTIVE (default)'),
  protect: protectionBodySchema
    .optional()
    .describe('DDoS profile for the public address; body of protectIp less the address'),
  alternatives: z
    .array(alternativeSchema)
    .max(MAX_ALTERNATIVES, { error: `must have at most ${MAX_ALTERNATIVES} entries` })
    .optional()
    .describe('tried in this order when the API has no capacity; what is left out stays as asked'),
});
/** The fields that the rules between fields look at, whatever else is wrong with the input. */
const crossFieldView = z.object({
  protect: z.unknown().optional(),
  waitFor: z.unknown().optional(),
  instance: z
    .object({
      interfaces: z.array(z.object({ type: z.string(), floating_ip: z.unknown().optional() })),
    })
    .optional()
    .catch(undefined),
});

/** Interfaces that have a public address only by a floating IP. */
const PRIVATE_TYPES: ReadonlySet<string> = new Set(['subnet', 'any_subnet']);

function protectRule(
  field: string,
  error: string,
  holds: (view: z.infer<typeof crossFieldView>) => boolean,
) {
  return z.refine(
    (input: unknown) => {
      const view = crossFieldView.safeParse(input);
      return !view.success || view.data.protect === undefined || holds(view.data);
    },
    { path: [field], error, when: () => true },
  );
}

/**
 * Input of the workflow `provisionInstance`.
 *
 * @example
 * { projectId: 1, regionId: 1, instance: { flavor: 'g2-standard-2-4', interfaces: [{ type: 'external' }],
 *   volumes: [{ source: 'image', image_id: '…', size: 20, boot_index: 0 }] } }
 */
export const provisionInstanceInputSchema = inputShape.check(
  protectRule(
    'waitFor',
    'cannot be "task" together with "protect": addresses show when the instance is ACTIVE',
    ({ waitFor }) => waitFor !== 'task',
  ),
  protectRule(
    'protect',
    'needs a public address: give an interface a floating IP, or one of type "external"',
    ({ instance }) =>
      instance === undefined ||
      instance.interfaces.some(
        ({ type, floating_ip: floatingIp }) => !PRIVATE_TYPES.has(type) || floatingIp !== undefined,
      ),
  ),
);
export type ProvisionInstanceInput = z.infer<typeof provisionInstanceInputSchema>;

/** Result of `provisionInstance`: what now exists, verified. */
export const provisionInstanceResultSchema = z.object({
  instanceId: z.string(),
  name: z.string(),
  status: z.string(),
  flavor: z.string().optional(),
  regionId: z.number().optional().describe('where it was made: with alternatives, maybe another'),
  addresses: z.array(z.object({ network: z.string(), address: z.string(), type: z.string() })),
  protection: z
    .object({
      address: z.string(),
      profileId: z.number().int(),
      active: z.boolean(),
      status: z.string().nullable(),
      workflowId: z.string().describe('of the run of protectIp'),
    })
    .optional()
    .describe('with protect: verified'),
  taskIds: z.array(z.string()),
  adopted: z
    .boolean()
    .describe('true when an instance of an earlier try of this request was found and taken over'),
  ledger: z.array(stepStatusSchema),
});
export type ProvisionInstanceResult = z.infer<typeof provisionInstanceResultSchema>;
