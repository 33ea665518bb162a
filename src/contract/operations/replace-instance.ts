import { z } from 'zod';

import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { resourceIdSchema } from '../api/cloud.js';
import { createInstanceBodySchema, INSTANCE_SHOWN } from '../api/create-instance-body.js';
import { ipAddressSchema } from '../api/ddos.js';
import { ledgerSchema } from '../documents.js';
import { floatingIpResource, instanceResource } from '../wire/names.js';
import { commonInputShape } from './common-input.js';
import { defineOperation, leavesNothing, lookForTag, withRequestId } from './define-operation.js';
import { deletedVolumesSchema } from './delete-instance.js';

const inputShape = z.strictObject({
  ...commonInputShape,
  instanceId: resourceIdSchema.describe('id of the instance to replace'),
  floatingIpId: resourceIdSchema.describe('id of its floating IP, which the new instance gets'),
  fixedIpAddress: ipAddressSchema
    .optional()
    .describe('the private address that it shall lead to, when the new instance has several'),
  instance: createInstanceBodySchema.describe(
    'the new instance: body of POST /cloud/v2/instances, without floating IPs',
  ),
  deleteOld: z
    .strictObject({ volumes: deletedVolumesSchema })
    .optional()
    .describe('deletes the old instance at the end, with these volumes; it is kept when left out'),
});

const viewSchema = z.object({
  instance: z
    .object({ interfaces: z.array(z.object({ floating_ip: z.unknown().optional() })) })
    .optional()
    .catch(undefined),
});
const rule = crossFieldRule(viewSchema);

/** Input of the workflow `replaceInstance`. */
export const replaceInstanceInputSchema = inputShape.check(
  rule(
    'instance',
    'must have no interface with "floating_ip": the new instance gets the one of the old instance',
    ({ instance }) =>
      instance?.interfaces.every(({ floating_ip: floatingIp }) => floatingIp === undefined) ?? true,
  ),
);

/** Result of `replaceInstance`. */
const replaceInstanceResultSchema = z.object({
  instanceId: z.string().describe('id of the new instance'),
  name: z.string().describe('its name, as the API shows it'),
  floatingIpId: z.string().describe('id of the floating IP, which leads to it'),
  address: z.string().nullable().describe('the public address; null where the API does not say it'),
  old: z
    .object({
      instanceId: z.string().describe('id of the old instance'),
      isDeleted: z.boolean().describe('whether this run deleted it, or found it gone'),
    })
    .describe('what became of the old instance'),
  ledger: ledgerSchema,
});

export const replaceInstance = defineOperation({
  guarantees:
    'Replaces an instance by a new one: creates it, moves the floating IP to it, and then deletes the old one if you ask for that. Each is done and verified by a run of its own, and the next begins only then. Until the old one is to be deleted, a run that fails or is cancelled moves the floating IP back and deletes the new instance. It deletes no instance that has the floating IP.',
  page: 'replace.md',
  shows: [
    'instanceId',
    'floatingIpId',
    'fixedIpAddress',
    ...INSTANCE_SHOWN.map((name) => `instance.${name}`),
    'deleteOld.volumes',
  ],
  failures: {
    always: ['AlreadyExists', 'TaskFailed', 'RemovalBlocked'],
    blocks: ['QuotaExceeded', 'CapacityUnavailable', 'OutcomeUnknown', 'ResourceBusy'],
  },
  input: replaceInstanceInputSchema,
  result: replaceInstanceResultSchema,
  example: {
    projectId: 1,
    regionId: 1,
    instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
    floatingIpId: '5e7f9a1b-2c3d-4e5f-8a6b-7c8d9e0f1a2b',
    instance: {
      name: 'web-2',
      flavor: 'g2-standard-2-4',
      interfaces: [{ type: 'any_subnet', network_id: '3a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d' }],
      volumes: [
        {
          source: 'image',
          image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
          size: 20,
          boot_index: 0,
          delete_on_termination: true,
        },
      ],
    },
    deleteOld: { volumes: 'delete' },
  },
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  repeat: 'once',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback' },
  foundBy: ['instanceId'],
  subjects: ({ instanceId, floatingIpId }) => [
    instanceResource(instanceId),
    floatingIpResource(floatingIpId),
  ],
  readsOnly: false,
  startAgain: withRequestId('replace', '--file', 'FILE'),
  whereToLook: lookForTag,
  leaves: leavesNothing,
  completedWork: ({ instanceId }) => ({
    done: `instance ${instanceId} has the floating IP`,
    advice: 'Run moveFloatingIp to move it back, if the old instance still exists.',
  }),
});
