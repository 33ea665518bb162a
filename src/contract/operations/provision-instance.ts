import { z } from 'zod';

import { protectionBodySchema } from '../api/ddos.js';
import { createInstanceBodySchema, INSTANCE_SHOWN } from '../api/create-instance-body.js';
import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { ledgerSchema } from '../documents.js';
import { commonInputShape, idSchema } from './common-input.js';
import { defineOperation, leavesNothing, lookForTag, withRequestId } from './define-operation.js';

/** Another region or flavor that the caller accepts when the API has no capacity. */
const alternativeSchema = z
  .strictObject({
    flavor: z
      .string()
      .min(1, { error: 'must not be empty' })
      .optional()
      .describe('id of another flavor'),
    regionId: idSchema.optional().describe('id of another region'),
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
    .describe('when the run succeeds: task FINISHED, or instance ACTIVE (default)'),
  protect: protectionBodySchema
    .optional()
    .describe('DDoS profile for the public address: the profile of protectIp without the address'),
  replaceBroken: z
    .boolean()
    .optional()
    .describe(
      'true: delete a broken instance that an earlier run of this request made, with its volumes',
    ),
  alternatives: z
    .array(alternativeSchema)
    .max(MAX_ALTERNATIVES, { error: `must have at most ${MAX_ALTERNATIVES} entries` })
    .optional()
    .describe(
      'other flavors or regions, tried in this order when the API has no capacity; other fields stay the same',
    ),
});

const crossFieldViewSchema = z.object({
  protect: z.unknown().optional(),
  waitFor: z.unknown().optional(),
  instance: z
    .object({
      interfaces: z.array(z.object({ type: z.string(), floating_ip: z.unknown().optional() })),
    })
    .optional()
    .catch(undefined),
});
const rule = crossFieldRule(crossFieldViewSchema);

/** Interfaces that get a public address only from a floating IP. */
const PRIVATE_TYPES: ReadonlySet<string> = new Set(['subnet', 'any_subnet']);

/**
 * Input of the workflow `provisionInstance`.
 *
 * @example
 * { projectId: 1, regionId: 1, instance: { flavor: 'g2-standard-2-4', interfaces: [{ type: 'external' }],
 *   volumes: [{ source: 'image', image_id: '0b4c1a8e-5d2f-4e63-9a7b-1c3d5e7f9a0b',
 *     size: 20, boot_index: 0 }] } }
 */
export const provisionInstanceInputSchema = inputShape.check(
  rule(
    'waitFor',
    'cannot be "task" together with "protect": the address is known only when the instance is ACTIVE',
    ({ protect, waitFor }) => protect === undefined || waitFor !== 'task',
  ),
  rule(
    'protect',
    'needs a public address: give an interface a floating IP, or add an interface of type "external"',
    ({ protect, instance }) =>
      protect === undefined ||
      instance === undefined ||
      instance.interfaces.some(
        ({ type, floating_ip: floatingIp }) => !PRIVATE_TYPES.has(type) || floatingIp !== undefined,
      ),
  ),
);

/** Result of `provisionInstance`: the verified instance. */
export const provisionInstanceResultSchema = z.object({
  instanceId: z.string().describe('id of the instance'),
  name: z.string().describe('as the API shows it'),
  status: z.string().describe('of the instance, at the last look'),
  flavor: z.string().optional().describe('id of its flavor; missing when the API shows none'),
  projectId: z.number().optional().describe('project of the instance'),
  regionId: z.number().optional().describe('region of the instance; may be that of an alternative'),
  addresses: z
    .array(
      z.object({
        network: z.string().describe('name of the network'),
        address: z.string().describe('the IP address'),
        type: z.string().describe('as the API shows it, such as fixed or floating'),
      }),
    )
    .describe('all its addresses, each with its network'),
  protection: z
    .object({
      address: z.string().describe('the protected address'),
      profileId: z.number().int().describe('id of the profile'),
      active: z.boolean().describe('whether the profile protects the address'),
      status: z.string().nullable().describe('of the profile, as the API shows it'),
      workflowId: z.string().describe('of the run of protectIp'),
    })
    .optional()
    .describe('the verified profile; only with protect'),
  taskIds: z.array(z.string()).describe('ids of the tasks of the call that created it'),
  adopted: z
    .boolean()
    .describe('true when the run took over an instance of an earlier try of this request'),
  ledger: ledgerSchema,
});

export const provisionInstance = defineOperation({
  guarantees:
    'Creates one instance. It succeeds only when the instance is ACTIVE, and with `protect` only when its public address is protected. One request never has two instances.',
  page: 'provision.md',
  shows: [
    ...INSTANCE_SHOWN.map((name) => `instance.${name}`),
    'waitFor',
    'protect.profile_template',
    'protect.fields.base_field',
    'replaceBroken',
    'alternatives.flavor',
    'alternatives.regionId',
  ],
  failures: {
    always: ['AlreadyExists', 'TaskFailed'],
    blocks: ['QuotaExceeded', 'CapacityUnavailable', 'OutcomeUnknown', 'ResourceBusy'],
  },
  input: provisionInstanceInputSchema,
  result: provisionInstanceResultSchema,
  example: {
    projectId: 1,
    regionId: 1,
    instance: {
      name: 'web-1',
      flavor: 'g2-standard-2-4',
      interfaces: [{ type: 'external', ip_family: 'ipv4' }],
      volumes: [
        {
          source: 'image',
          image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
          size: 20,
          boot_index: 0,
          delete_on_termination: true,
        },
      ],
      tags: { team: 'platform' },
    },
  },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'once',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback', waitFor: 'active' },
  subjects: () => [],
  readsOnly: false,
  startAgain: withRequestId('provision', '--file', 'FILE'),
  whereToLook: lookForTag,
  leaves: leavesNothing,
  completedWork: ({ instanceId }) => ({
    done: `instance ${instanceId} exists`,
    advice: 'Delete the instance if you do not want it.',
  }),
});
